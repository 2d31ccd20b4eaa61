/**
 * Checks for methods, scorers, datasets and models of your own: `methodFindings` and its like resolve to a line for
 * every violation, `testMethod` and its like make that a test of vitest or node:test. From a shell: `gembench check
 * mine.ts`.
 */
import { deepEqual } from 'node:assert/strict'
import { datasetFindings } from './dataset.ts'
import { methodFindings } from './method.ts'
import { modelFindings } from './model.ts'
import { scorerFindings } from './scorer.ts'

export { datasetFindings, type DatasetCase } from './dataset.ts'
export { fakeModels, type FakeModels, type FakeOptions, type FakeReply } from './fake-models.ts'
export { methodFindings, type MethodCase } from './method.ts'
export { modelFindings, type ModelCase } from './model.ts'
export { scorerFindings, type ScorerCase } from './scorer.ts'

const { test }: { readonly test: (title: string, check: () => Promise<void>) => unknown } =
  process.env['VITEST'] === undefined ? await import('node:test') : await import('vitest')

/** A test without findings, of vitest where that runs, else of node:test. */
const testOf =
  <A extends readonly [{ readonly name: string }, ...unknown[]]>(
    kind: string,
    findings: (...args: A) => Promise<readonly string[]>,
  ) =>
  (...args: A): void => {
    const [{ name }, how] = args
    void test([kind, name, JSON.stringify(how), 'keeps its contract'].filter(Boolean).join(' '), async () => {
      deepEqual(await findings(...args), [])
    })
  }

export const testMethod = testOf('method', methodFindings)
export const testScorer = testOf('scorer', scorerFindings)
export const testDataset = testOf('dataset', datasetFindings)
export const testModel = testOf('model', modelFindings)
