export { fileChecksums, lookAtFolder, type FolderContents } from '../datasets/index.ts'
export { checkData, getData, datasetStatuses, type DatasetStatus } from './datasets.ts'
export { callsOf, exportCalls, importCalls } from './transfer-calls.ts'
export { missingRequirements, tryModels, type ModelUse as Asking } from './try-models.ts'
export { registries } from './plug-ins/registries.ts'
export { draw, drawText, type GraphRequest } from './graph/draw.ts'
export { writeDrafts, type DraftOutcome, type DraftPlan } from './questions/write-drafts.ts'
export { attemptsEach, callsPerDraft } from './questions/draft-questions.ts'
export { checksOf, type Check } from './replay/checks.ts'
export { query, type QueryReply } from './query.ts'
export { rowToTrain, train, withoutNetworks } from './training/train.ts'
export { publish } from './publish.ts'
export { rescore } from './scoring/rescore.ts'
export { openResults } from './results/series.ts'
export { archiveResults } from './results/results-folder.ts'
export type { Results } from './results/results.ts'
export { run, runAll, type SeriesOutcome } from './run.ts'
export { dryRun, type DryRun } from './dry-run/dry-run.ts'
export { callsAtOnce, planWarnings, type AtOnce } from './dry-run/plan-warnings.ts'
export type { DryUsage } from './dry-run/extrapolate.ts'
export { prepare, type Prepared } from './prepare/prepare.ts'
export { noteOnBudget, noteOnReferences, notesOnLanguage, neededServers } from './prepare/notes.ts'
export { withDefaults, type Settings } from './prepare/settings.ts'
export { type Finding, type ModelFindings, type TryRequest } from '../models/index.ts'
export { serve } from './serve.ts'
export type { WorkerSettings } from './workers/join-run.ts'
export { parquetFiles, trecFiles } from './exported-files.ts'
export { replaceFile } from './results/journal.ts'
export { version } from './results/environment.ts'
export {
  createProfile,
  measure as profiled,
  type CallsSoFar,
  type Profile,
  type Progress,
  type Stage,
} from './progress.ts'
