/**
 * Checks for methods, scorers, datasets and models of your own: `methodChecks` and its like are lists of `{ name, run
 * }` for any framework, `testMethod` and its like hand them to vitest. From a shell: `gembench check mine.ts`.
 */
import { UserError } from '../errors.ts'
import type { ProviderKind } from '../models/provider.ts'
import type { Dataset, Method, Scorer } from '../types.ts'
import type { Check } from './check.ts'
import { datasetChecks, type DatasetCase } from './dataset.ts'
import { methodChecks, type MethodCase } from './method.ts'
import { modelChecks, type ModelCase } from './model.ts'
import { scorerChecks, type ScorerCase } from './scorer.ts'

export type { Check } from './check.ts'
export { datasetChecks, type DatasetCase } from './dataset.ts'
export { fakeModels, type FakeModels, type FakeOptions, type FakeReply } from './fake-models.ts'
export { methodChecks, type MethodCase } from './method.ts'
export { modelChecks, type ModelCase } from './model.ts'
export { scorerChecks, type ScorerCase } from './scorer.ts'

// an optional peer: whoever runs the checks by other means does not have it
const vitest = await import('vitest').catch(() => undefined)

/** `methodChecks` as a suite of vitest, which must be installed. Throws UserError where it is not. */
export const testMethod = (method: Method, how: MethodCase = {}): void =>
  suite(titleOf('method', method, how.options), methodChecks(method, how))

/** `scorerChecks` as a suite of vitest, which must be installed. Throws UserError where it is not. */
export const testScorer = (scorer: Scorer, how: ScorerCase = {}): void =>
  suite(titleOf('scorer', scorer, how.options), scorerChecks(scorer, how))

/** `datasetChecks` as a suite of vitest, which must be installed. Throws UserError where it is not. */
export const testDataset = (dataset: Dataset, how: DatasetCase): void =>
  suite(titleOf('dataset', dataset, how.options), datasetChecks(dataset, how))

/** `modelChecks` as a suite of vitest, which must be installed. Throws UserError where it is not. */
export const testModel = <O>(kind: ProviderKind<O>, how: ModelCase | (() => Promise<ModelCase>) = {}): void =>
  suite(titleOf('model', kind, {}), modelChecks(kind, how))

const titleOf = (kind: string, { name }: { readonly name: string }, options: unknown = {}): string =>
  `${kind} ${name}${JSON.stringify(options) === '{}' ? '' : ` ${JSON.stringify(options)}`}`

function suite(title: string, checks: readonly Check[]): void {
  if (!vitest)
    throw new UserError(
      'vitest is not installed (npm install --save-dev vitest); without it, run the checks yourself: for (const { run } of methodChecks(mine)) await run()',
    )
  const { describe, test } = vitest
  describe(title, () => {
    for (const { name, run } of checks) test(name, run)
  })
}
