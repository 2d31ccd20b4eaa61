/**
 * Checks for methods, scorers, datasets and models of your own. `methodChecks` and its like are plain lists of `{ name,
 * run }` and need no test framework; `testMethod` and its like hand them to vitest, an optional peer that is then to be
 * installed. From a shell: `gembench check mine.ts`.
 */
export type { Check } from './check.ts'
export { datasetChecks, type DatasetCase } from './dataset.ts'
export { fakeModels, type FakeModels, type FakeOptions, type FakeReply } from './fake-models.ts'
export { methodChecks, type MethodCase } from './method.ts'
export { modelChecks, type ModelCase } from './model.ts'
export { scorerChecks, type ScorerCase } from './scorer.ts'
export { testDataset, testMethod, testModel, testScorer } from './suites.ts'
