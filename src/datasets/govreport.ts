import { z } from 'zod'
import { recordsOf, words } from '../formats/records.ts'
import { summaryQuestion } from './shared/document-of-record.ts'
import { officialFile, split } from './shared/official-file.ts'
import { filesBelow, publishedDataset } from './shared/published-dataset.ts'
import { firstItems, firstLong } from './shared/selection.ts'

const splits = ['train', 'validation', 'test'] as const

const options = z.strictObject({
  split: split(splits, 'test'),
  items: firstItems('reports'),
})

/** A report must have more words than this (GoR); words stand between white space. */
const minWords = 8000

type Options = z.output<typeof options>

const row = z.object({ report: words, summary: words }).describe('GovReport (report and summary)')

/** GovReport (Huang et al., 2021) in the form of ccdv/govreport-summarization: one corpus per report. */
export const govreport = publishedDataset({
  name: 'govreport',
  summary: 'Long reports of the US government, each with the summary that was published with it.',
  source: 'https://huggingface.co/datasets/ccdv/govreport-summarization',
  licence:
    'reports and summaries: works of the US government, public domain in the USA; none stated for the collection',
  layout:
    '`train-0000{0,1}-of-00002.parquet`, `{validation,test}-00000-of-00001.parquet`, in a folder `document` or beside each other, else `{train,validation,test}.jsonl`',
  options,
  files: filesOf,
  async *corpora({ files, options: { items }, ...counting }) {
    const isUsed = firstLong(items, 'reports', minWords, counting)
    for await (const { value, number } of recordsOf(files, row, counting.bad)) {
      const { report, summary } = value
      const id = `report-${number}`
      const questions = [summaryQuestion(id, 'Summarise this report.', [summary])]
      if (isUsed(report)) yield { id, documents: [{ id, text: report }], questions }
    }
  },
  download: {
    files: filesBelow(
      'https://huggingface.co/datasets/ccdv/govreport-summarization/resolve/main/document',
      splits.flatMap(partsOf),
    ),
  },
})

function partsOf(split: Options['split']) {
  return split === 'train'
    ? ['train-00000-of-00002.parquet', 'train-00001-of-00002.parquet']
    : [`${split}-00000-of-00001.parquet`]
}

/** All parts of a split, or its one file. */
async function filesOf(path: string, { split }: Options) {
  const find = (part: string) => officialFile(path, [`document/${part}`, part, `${split}.jsonl`], 'govreport')
  return [...new Set(await Promise.all(partsOf(split).map(find)))]
}
