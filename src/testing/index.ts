/**
 * Checks for methods, scorers, datasets and models of your own: `methodFindings` and its like resolve to a line for
 * every violation, `testMethod` and its like make that a test of vitest. From a shell: `gembench check mine.ts`.
 */
import { UserError } from '../errors.ts'
import { datasetFindings } from './dataset.ts'
import { methodFindings } from './method.ts'
import { modelFindings } from './model.ts'
import { scorerFindings } from './scorer.ts'

export { datasetFindings, type DatasetCase } from './dataset.ts'
export { fakeModels, type FakeModels, type FakeOptions, type FakeReply } from './fake-models.ts'
export { methodFindings, type MethodCase } from './method.ts'
export { modelFindings, type ModelCase } from './model.ts'
export { scorerFindings, type ScorerCase } from './scorer.ts'

// an optional peer dependency
const vitest = await import('vitest').catch(() => undefined)

/** A vitest test without findings. Throws UserError if vitest is not installed. */
const testOf =
  <A extends readonly [{ readonly name: string }, ...unknown[]]>(
    kind: string,
    findings: (...args: A) => Promise<readonly string[]>,
  ) =>
  (...args: A): void => {
    if (!vitest)
      throw new UserError(
        'vitest is not installed (npm install --save-dev vitest); without it, print what is found: console.log(await methodFindings(mine))',
      )
    const { expect, test } = vitest
    const [{ name }, how] = args
    test([kind, name, JSON.stringify(how), 'keeps its contract'].filter(Boolean).join(' '), async () => {
      expect(await findings(...args)).toEqual([])
    })
  }

export const testMethod = testOf('method', methodFindings)
export const testScorer = testOf('scorer', scorerFindings)
export const testDataset = testOf('dataset', datasetFindings)
export const testModel = testOf('model', modelFindings)
