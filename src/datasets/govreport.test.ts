import { join } from 'node:path'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { expect, test } from 'vitest'
import { folderOf } from '../test-support/dataset-copies/write-files.ts'
import { gather } from '../testing/dataset.ts'
import { govreport } from './govreport.ts'

const rows = (...lengths: readonly number[]) =>
  lengths.map((length) => ({ report: Array(length).fill('word').join(' \n'), summary: ` Of ${length}. ` }))

const parquet = (values: readonly { report: string; summary: string }[]): Uint8Array =>
  new Uint8Array(
    parquetWriteBuffer({
      columnData: (['report', 'summary'] as const).map((name) => ({ name, data: values.map((item) => item[name]) })),
    }),
  )

const read = (path: string, options: object = {}) => gather(govreport.corpora(path, govreport.options.parse(options)))
const idsOf = async (...args: Parameters<typeof read>) => (await read(...args)).map(({ id }) => id)

test('each report of more than 8000 words is a corpus', async () => {
  const path = folderOf({ 'test-00000-of-00001.parquet': parquet(rows(8000, 8001)) })
  expect(await read(path)).toEqual([
    {
      id: 'report-2',
      documents: [{ id: 'report-2', text: Array(8001).fill('word').join(' \n') }],
      questions: [
        {
          id: 'report-2',
          text: 'Summarise this report.',
          reference: { kind: 'summary', accepted: ['Of 8001.'] },
          cluster: 'report-2',
        },
      ],
      holds: { reports: 2, 'reports of more than 8000 words': 1 },
      leftOut: { 'reports of at most 8000 words': 1 },
    },
  ])
})

test('reads both parts of train, in a folder "document" or in one folder, and names a missing part', async () => {
  const parts = ['train-00000-of-00002.parquet', 'train-00001-of-00002.parquet']
  const [first = '', second = ''] = parts
  const full = folderOf({
    [`document/${first}`]: parquet(rows(8001, 8002)),
    [`document/${second}`]: parquet(rows(8003)),
  })
  expect(await idsOf(full, { split: 'train' })).toEqual(['report-1', 'report-2', 'report-3'])
  expect(await idsOf(full, { split: 'train', items: 2 })).toEqual(['report-1', 'report-2'])
  const half = folderOf({ [first]: parquet(rows(8001)) })
  await expect(idsOf(half, { split: 'train' })).rejects.toThrow(
    /no document\/train-00001-of-.* in this folder .*; download it/,
  )
  expect(await idsOf(join(half, first), { split: 'train' })).toEqual(['report-1'])
  const names = govreport.download!.files.map(({ name }) => name)
  expect(names).toEqual([...parts, 'validation-00000-of-00001.parquet', 'test-00000-of-00001.parquet'])
})

test('reads JSON lines, and names malformed input by line and column', async () => {
  const lines = rows(8001, 8002).map((row) => JSON.stringify(row))
  expect(await idsOf(folderOf({ 'test.jsonl': lines.join('\n') }))).toEqual(['report-1', 'report-2'])
  const idsWith = (line: string) => idsOf(folderOf({ 'test.jsonl': [...lines, line].join('\n') }))
  await expect(idsWith('{"report": "a"}')).rejects.toThrow(/test\.jsonl:3: lacks "summary"; expected GovReport/)
  await expect(idsWith('{"report": ]')).rejects.toThrow(/test\.jsonl:3:12: malformed JSON at "\]"/)
  const bad = folderOf({ 'test-00000-of-00001.parquet': parquet([...rows(8001), { report: ' ', summary: 'x' }]) })
  await expect(idsOf(bad)).rejects.toThrow(/parquet: row 2: report: is empty/)
})
