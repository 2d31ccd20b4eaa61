import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { describe, expect, test } from 'vitest'
import { copyOf } from '../test-support/dataset-copies/dataset-copies.ts'
import { inReferenceData } from '../test-support/dataset-copies/reference-data.ts'
import { fileOf, folderOf, jsonl } from '../test-support/dataset-copies/write-files.ts'
import { gather } from '../testing/dataset.ts'
import { md5 } from '../text/hash.ts'
import { ragbench } from './ragbench.ts'

const options = (overrides: object = {}) => ragbench.options.parse(overrides)

const row = (id: string, question: string, documents: readonly string[], more: object = {}) => ({
  id,
  question,
  documents,
  response: ` ${id} answers. `,
  dataset_name: 'toy_train',
  adherence_score: true,
  all_relevant_sentence_keys: ['0a'],
  ...more,
})

const rows = [
  row('1', 'Who? ', ['One.', 'Two.', 'One.'], { all_relevant_sentence_keys: ['1b.', '2aa', '7a', 'none'] }),
  row('1', 'Who? ', ['One.', 'Five.'], { adherence_score: false }),
  row('2', 'What?', ['Three.', ' ', 'Two.'], { adherence_score: false, all_relevant_sentence_keys: ['1a'] }),
  row('3', 'Where?', ['Four.'], { adherence_score: null, all_relevant_sentence_keys: [] }),
]

/** The rows as a table of columns, one of which the reader has no use for. */
const parquet = (values: readonly ReturnType<typeof row>[]): Uint8Array =>
  new Uint8Array(
    parquetWriteBuffer({
      columnData: [
        ...Object.keys(rows[0]!).map((name) => ({ name, data: values.map((item) => item[name as keyof typeof item]) })),
        { name: 'other', data: values.map(() => 'x') },
      ],
      rowGroupSize: 3,
    }),
  )

const read = (values: readonly object[], overrides: object = {}) =>
  gather(ragbench.corpora(fileOf(jsonl(values)), options(overrides)))

const at = (text: string) => ({ documentId: md5(text).slice(0, 16) })
const document = (text: string) => ({ id: md5(text).slice(0, 16), text })

test('keeps the first row of a question with its documents, without duplicates and blank ones', async () => {
  expect(await read(rows)).toEqual([
    {
      id: 'toy_train',
      documents: ['One.', 'Two.', 'Three.', 'Four.'].map(document),
      questions: [
        {
          id: '1',
          text: 'Who?',
          reference: { kind: 'answer', accepted: [{ text: '1 answers.' }] },
          evidence: [at('One.'), at('Two.')],
          tags: [],
          cluster: '1',
        },
        expect.objectContaining({ id: '2', cluster: '1', evidence: [at('Three.'), at('Two.')], tags: ['unsupported'] }),
        expect.objectContaining({ id: '3', cluster: '3', evidence: [at('Four.')], tags: [] }),
      ],
      leftOut: { 'rows that repeat a question': 1 },
    },
  ])
})

test('Parquet gives the same corpus as lines', async () => {
  expect(await gather(ragbench.corpora(fileOf(parquet(rows), 'same'), options()))).toEqual(await read(rows))
})

describe('files of a folder', () => {
  const official = 'test-00000-of-00001.parquet'
  const inside = (name: string): string => {
    const path = folderOf({ [name]: parquet(rows) })
    mkdirSync(join(path, 'covidqa'), { recursive: true })
    return path
  }

  test.each([
    ['of one subset', official, {}],
    ['of several, as published', `covidqa/${official}`, { subset: 'covidqa' }],
    ['of several, as brought', `covidqa-${official}`, { subset: 'covidqa' }],
    ['of JSON lines', 'covidqa/test.jsonl.gz', { subset: 'covidqa' }],
  ])('%s, finds the file of the split', async (_, name, overrides) => {
    const path = inside(name)
    expect(await ragbench.files(path, options({ split: 'test', ...overrides }))).toEqual([join(path, name)])
  })

  test('asks for the subset if there are several', async () => {
    await expect(ragbench.files(inside(`covidqa-${official}`), options())).rejects.toThrow(
      /no train-00000-of-00001\.parquet .*it contains covidqa, covidqa-test.*or set the option "subset", or name a file$/,
    )
  })
})

test.each<[string, string, number]>([
  [copyOf('ragbench'), 'toy_train', 14],
  ...inReferenceData(['ragbench/emanual', 'emanual_train', 182_052]),
])('%s: corpus %s has %i characters', async (path, id, characters) => {
  const [corpus, ...rest] = await gather(ragbench.corpora(path, options()))
  expect([corpus?.id, rest]).toEqual([id, []])
  expect(corpus?.documents.reduce((sum, { text }) => sum + text.length, 0)).toBe(characters)
})
