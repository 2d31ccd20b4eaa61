/**
 * Checks for methods, scorers, datasets and models of your own: `methodChecks` and its like are lists of `{ name, run
 * }` for any framework, `testMethod` and its like hand them to vitest. From a shell: `gembench check mine.ts`.
 */
import { UserError } from '../errors.ts'
import { datasetChecks } from './dataset.ts'
import { methodChecks } from './method.ts'
import { modelChecks } from './model.ts'
import type { Check } from './rules.ts'
import { scorerChecks } from './scorer.ts'

export { datasetChecks, type DatasetCase } from './dataset.ts'
export { fakeModels, type FakeModels, type FakeOptions, type FakeReply } from './fake-models.ts'
export { methodChecks, type MethodCase } from './method.ts'
export { modelChecks, type ModelCase } from './model.ts'
export type { Check } from './rules.ts'
export { scorerChecks, type ScorerCase } from './scorer.ts'

// an optional peer: whoever runs the checks by other means does not have it
const vitest = await import('vitest').catch(() => undefined)

/** The checks as a suite of vitest, which must be installed. Throws UserError where it is not. */
const suiteOf =
  <A extends readonly [{ readonly name: string }, ...unknown[]]>(
    kind: string,
    checksOf: (...given: A) => readonly Check[],
  ) =>
  (...given: A): void => {
    if (!vitest)
      throw new UserError(
        'vitest is not installed (npm install --save-dev vitest); without it, run the checks yourself: for (const { run } of methodChecks(mine)) await run()',
      )
    const { describe, test } = vitest
    const [{ name }, how] = given
    describe([kind, name, JSON.stringify(how)].join(' ').trim(), () => {
      for (const check of checksOf(...given)) test(check.name, check.run)
    })
  }

export const testMethod = suiteOf('method', methodChecks)
export const testScorer = suiteOf('scorer', scorerChecks)
export const testDataset = suiteOf('dataset', datasetChecks)
export const testModel = suiteOf('model', modelChecks)
