import { tasksOf } from '../../define.ts'
import { UserError } from '../../errors.ts'
import type { OpenedModels } from '../../models/index.ts'
import type { AnyTask, Phase } from '../../types.ts'
import type { MethodEntry } from '../asking/method-entry.ts'
import type { ScorerEntry } from '../scoring/scorer-entry.ts'

/** What a run asks of its models. */
export interface Askers {
  readonly methods?: readonly Pick<MethodEntry, 'row' | 'method' | 'options'>[]
  readonly scorers?: readonly Pick<ScorerEntry, 'label' | 'scorer' | 'options'>[]
}

/** Throws UserError where a method or a scorer declares a task that its model cannot do: a line each. */
export function refuseUnableModels(
  { methods = [], scorers = [] }: Askers,
  models: Pick<OpenedModels, 'refusal' | 'refusalOfTokens'>,
): void {
  const lines = [
    ...methods.flatMap(({ row, method, options }) =>
      refusals(`the method "${row.method}"`, tasksOf(method, options), 'index', models),
    ),
    ...scorers.flatMap(({ label, scorer }) => refusals(`the scorer "${label}"`, scorer.tasks, 'judge', models)),
    ...scorers.flatMap(({ label, scorer, options }) => {
      const tokens = scorer.needs?.(options).tokens
      const refusal = tokens && models.refusalOfTokens(tokens.layer)
      return refusal === undefined ? [] : [`the scorer "${label}" cannot be run: models.embed: ${refusal}`]
    }),
  ]
  // the variants of a method need the same
  if (lines.length > 0) throw new UserError([...new Set(lines)].join('\n'))
}

const refusals = (
  asker: string,
  tasks: readonly AnyTask[] = [],
  phase: Phase,
  models: Pick<OpenedModels, 'refusal'>,
): readonly string[] =>
  tasks.flatMap((task) => {
    const refusal = models.refusal(phase, task)
    return refusal === undefined ? [] : [`${asker} cannot be run: ${refusal}`]
  })
