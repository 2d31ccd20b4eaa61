import { menuOf, type Menu, type OptionsOf } from '../basics/loading.ts'
import { UserError } from '../errors.ts'
import { unknownName } from '../text/names.ts'
import type { Dataset } from '../types.ts'

export type { PlainData, PlainDocument, PlainEvidence, PlainQuestion } from './data-in-memory.ts'
export { checkDataset, checkedCorpora, corpusFaults, type Counts } from './shared/check.ts'
export { missingPath } from './shared/official-file.ts'
export { heldBy, ownOptions, readOwnDocuments, type OwnDocuments } from './files/look-at-folder.ts'
export { questionsPlace } from './files/question-records.ts'
export { questionsWriter, type WrittenQuestion } from './files/write-questions.ts'
export { syntheticTag } from './files/to-question.ts'
export { placesOf } from './shared/answer-span.ts'
export { lookAtFolder, type FolderContents } from './files/look-at-folder.ts'
export { checksumOf, datasetChecksum, fileChecksum, fileChecksums } from './shared/checksum.ts'
export { download, type Downloaded, type DownloadOptions, type DownloadProgress } from './download/download.ts'

const items = {
  sample: () => import('./sample/sample.ts').then(({ sample }) => sample),
  quality: () => import('./quality.ts').then(({ quality }) => quality),
  qasper: () => import('./qasper.ts').then(({ qasper }) => qasper),
  ragbench: () => import('./ragbench.ts').then(({ ragbench }) => ragbench),
  'covid-qa': () => import('./covid-qa.ts').then(({ covidQa }) => covidQa),
  emanual: () => import('./emanual.ts').then(({ emanual }) => emanual),
  techqa: () => import('./techqa.ts').then(({ techqa }) => techqa),
  musique: () => import('./musique.ts').then(({ musique }) => musique),
  '2wikimultihopqa': () => import('./hipporag-sets.ts').then(({ twoWiki }) => twoWiki),
  hotpotqa: () => import('./hipporag-sets.ts').then(({ hotpotQa }) => hotpotQa),
  popqa: () => import('./hipporag-sets.ts').then(({ popQa }) => popQa),
  nq: () => import('./hipporag-sets.ts').then(({ nq }) => nq),
  'graphrag-podcast': () => import('./graphrag-podcast.ts').then(({ graphragPodcast }) => graphragPodcast),
  'cmu-dog': () => import('./cmu-dog.ts').then(({ cmuDog }) => cmuDog),
  qmsum: () => import('./qmsum.ts').then(({ qmsum }) => qmsum),
  squality: () => import('./squality.ts').then(({ squality }) => squality),
  wcep: () => import('./wcep.ts').then(({ wcep }) => wcep),
  booksum: () => import('./booksum.ts').then(({ booksum }) => booksum),
  govreport: () => import('./govreport.ts').then(({ govreport }) => govreport),
  'academic-eval': () => import('./academic-eval.ts').then(({ academicEval }) => academicEval),
  files: () => import('./files/files.ts').then(({ files }) => files),
  beir: () => import('./beir.ts').then(({ beir }) => beir),
} as const

/** The menu: every dataset that a config can name. */
export const datasets: Menu<Dataset> = menuOf<Dataset>(items)

export type DatasetName = keyof typeof items

/** The options of a dataset, as a config writes them. */
export type DatasetOptions<N extends DatasetName> = OptionsOf<(typeof items)[N]>

/** The dataset of that name. Throws UserError with the nearest right name. */
export async function datasetNamed(name: string): Promise<Dataset> {
  const found = await datasets.load(name)
  if (!found) throw new UserError(unknownName('dataset', name, datasets.names))
  return found
}
