import type { MethodRecord } from '../../records.ts'

/** Whether a row is there for orientation alone: no context, a context outside the budget, or answers of another answerer than the run's. */
export const isReferenceRow = ({ context, answers }: Pick<MethodRecord, 'context' | 'answers'>): boolean =>
  context !== undefined || answers !== undefined

/** The marks after the name of a row: † outside the budget, ‡ answers of its own, § no longer in the config; empty for any other. */
export const markOf = ({
  context,
  answers,
  inConfig,
}: Pick<MethodRecord, 'context' | 'answers' | 'inConfig'>): string =>
  `${context === undefined ? '' : ' †'}${answers === undefined ? '' : ' ‡'}${inConfig === false ? ' §' : ''}`
