import { UserError } from '../errors.ts'
import { unknownName } from '../text/nearest.ts'
import type { Dataset } from '../types.ts'
import { academicEval } from './academic-eval.ts'
import { beir } from './beir.ts'
import { booksum } from './booksum.ts'
import { cmuDog } from './cmu-dog.ts'
import { covidQa } from './covid-qa.ts'
import { emanual } from './emanual.ts'
import { files } from './files/files.ts'
import { govreport } from './govreport.ts'
import { musique } from './musique.ts'
import { qmsum } from './qmsum.ts'
import { qasper } from './qasper.ts'
import { quality } from './quality.ts'
import { ragbench } from './ragbench.ts'
import { sample } from './sample/sample.ts'
import { squality } from './squality.ts'
import { techqa } from './techqa.ts'
import { wcep } from './wcep.ts'

export { checkDataset, checkedCorpora, type Counts } from './shared/check.ts'
export { missingPath } from './shared/official-file.ts'
export { heldBy, ownOptions, readOwnDocuments, type OwnDocuments } from './files/look-at-folder.ts'
export { questionsPlace } from './files/question-records.ts'
export { questionsWriter, type WrittenQuestion } from './files/write-questions.ts'
export { syntheticTag } from './files/to-question.ts'
export { placesOf } from './shared/answer-span.ts'
export { lookAtFolder, type FolderContents } from './files/look-at-folder.ts'
export { checksumOf, datasetChecksum, fileChecksum, fileChecksums } from './shared/checksum.ts'
export { download, type Downloaded, type DownloadOptions, type DownloadProgress } from './download/download.ts'

/** The menu: every dataset that a config can name. */
export const datasets: readonly Dataset[] = [
  sample,
  quality,
  qasper,
  ragbench,
  covidQa,
  emanual,
  techqa,
  musique,
  cmuDog,
  qmsum,
  squality,
  wcep,
  booksum,
  govreport,
  academicEval,
  files,
  beir,
]

/** The dataset of that name. Throws UserError with the nearest right name. */
export function datasetNamed(name: string): Dataset {
  const found = datasets.find((dataset) => dataset.name === name)
  if (!found)
    throw new UserError(
      unknownName(
        'dataset',
        name,
        datasets.map((dataset) => dataset.name),
      ),
    )
  return found
}
