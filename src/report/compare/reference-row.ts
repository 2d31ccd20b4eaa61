import type { MethodRecord } from '../../records.ts'

/** Whether a row is there for orientation alone: no context, a context outside the budget, or answers of another answerer than the run's. */
export const isReferenceRow = ({ context, answers }: Pick<MethodRecord, 'context' | 'answers'>): boolean =>
  context !== undefined || answers !== undefined

/** The mark after the name of such a row; empty for any other. */
export const markOf = ({ context, answers }: Pick<MethodRecord, 'context' | 'answers'>): string =>
  `${context === undefined ? '' : ' †'}${answers === undefined ? '' : ' ‡'}`
