import { registryOf, type OptionsOf, type Registry } from '../basics/loading.ts'
import { UserError } from '../errors.ts'
import { unknownName } from '../text/names.ts'
import type { Dataset } from '../types.ts'
import { items } from './registry.generated.ts'

export type { PlainData, PlainDocument, PlainEvidence, PlainQuestion } from './data-in-memory.ts'
export { checkDataset, checkedCorpora, corpusFaults, type Counts } from './shared/check.ts'
export { hasRecords, ownOptions, readOwnDocuments } from './files/inspect-folder.ts'
export { questionsPlace } from './files/question-records.ts'
export { questionsWriter, type WrittenQuestion } from './files/write-questions.ts'
export { syntheticTag } from './files/to-question.ts'
export { placesOf } from './shared/answer-span.ts'
export { inspectFolder as lookAtFolder, type FolderContents } from './files/inspect-folder.ts'
export { checksumOf, datasetChecksum, fileChecksum, fileChecksums } from './shared/checksum.ts'
export { download } from './download/download.ts'

/** Every dataset that a config can name. */
export const datasets: Registry<Dataset> = registryOf<Dataset>(items)

export type DatasetName = keyof typeof items

/** The options of a dataset, as a config writes them. */
export type DatasetOptions<N extends DatasetName> = OptionsOf<(typeof items)[N]>

/** The dataset of that name. Throws UserError with the nearest right name. */
export async function findDataset(name: string): Promise<Dataset> {
  const dataset = await datasets.load(name)
  if (!dataset) throw new UserError(unknownName('dataset', name, datasets.names))
  return dataset
}
