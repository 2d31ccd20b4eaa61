import { dirname, join } from 'node:path'
import { z } from 'zod'
import { UserError } from '../errors.ts'
import { recordsOf, words } from '../formats/records.ts'
import { summaryQuestion } from './shared/document-of-record.ts'
import { exists, type Files, officialFile, split } from './shared/official-file.ts'
import { publishedDataset } from './shared/published-dataset.ts'
import { firstItems, firstLong } from './shared/selection.ts'

const splits = ['train', 'validation', 'test'] as const

const options = z.strictObject({
  split: split(splits, 'test'),
  items: firstItems('reports'),
})

/** A report must have more words than this (GoR); words stand between white space. */
const minWords = 8000

type Options = z.output<typeof options>

const row = z.object({ report: words, summary: words })

const release = 'GovReport (report and summary)'

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
  evidence: false,
  files: filesOf,
  async *corpora({ files, options: { items }, ...counting }) {
    const isUsed = firstLong(items, 'reports', minWords, counting)
    for await (const { value, number } of recordsOf(files, row, release, counting.bad)) {
      const { report, summary } = value
      const id = `report-${number}`
      const questions = [summaryQuestion(id, 'Summarise this report.', [summary])]
      if (isUsed(report)) yield { id, documents: [{ id, text: report }], questions }
    }
  },
  download: {
    files: splits.flatMap(partsOf).map((name) => ({
      url: `https://huggingface.co/datasets/ccdv/govreport-summarization/resolve/main/document/${name}`,
      name,
    })),
  },
})

function partsOf(split: Options['split']): readonly string[] {
  return split === 'train'
    ? ['train-00000-of-00002.parquet', 'train-00001-of-00002.parquet']
    : [`${split}-00000-of-00001.parquet`]
}

async function filesOf(path: string, { split }: Options): Promise<Files> {
  const [first = '', ...more] = partsOf(split)
  const file = await officialFile(path, [`document/${first}`, first, `${split}.jsonl`], 'govreport')
  if (file === path || !file.endsWith(first)) return [file]
  const rest = more.map((name) => join(dirname(file), name))
  for (const part of rest)
    if (!(await exists(part)))
      throw new UserError(`${part}: no such file; download it with "gembench data get govreport"`)
  return [file, ...rest]
}
