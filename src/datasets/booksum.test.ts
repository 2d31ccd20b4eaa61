import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { inReferenceData } from '../test-support/dataset-copies/reference-data.ts'
import { folderOf } from '../test-support/dataset-copies/write-files.ts'
import { gather } from '../testing/dataset.ts'
import { booksum } from './booksum.ts'

const options = (overrides: object = {}) => booksum.options.parse(overrides)

const read = (path: string, overrides: object = {}) => gather(booksum.corpora(path, options(overrides)))

const csv = [
  'bid,book_id,chapter,chapter_length,summary_text',
  '1,Clock.chapter 1,"She said ""no"", and',
  'left.",8001.0, She leaves. ',
  '1,Clock.chapter 2,Short.,8000.0,Short.',
  '1,Clock.chapter 3,Empty of summary.,9000.0,',
  '1,Clock.chapter 1,"She said ""no"", and',
  'left.",8001.0,Another guide.',
  '1,Clock.chapter 4,Nobody counted.,,Uncounted.',
  '1,Clock.chapter 5,Long.,8002.5,Last.',
].join('\n')

describe('BookSum as CSV', () => {
  const path = folderOf({ 'test.csv': csv })

  test('rows of one chapter share a corpus and keep the summaries of their guides', async () => {
    const [first, second] = await read(path)
    expect(first?.documents).toEqual([{ id: first?.id, text: 'She said "no", and\nleft.', title: 'Clock.chapter 1' }])
    expect(first?.questions.map(({ id, reference, cluster }) => [id, reference, cluster])).toEqual([
      [first?.id, { kind: 'summary', accepted: ['She leaves.'] }, first?.id],
      [`${first?.id}#2`, { kind: 'summary', accepted: ['Another guide.'] }, first?.id],
    ])
    expect(second?.documents[0]?.text).toBe('Long.')
    expect(first?.holds).toEqual({ rows: 6, 'rows longer than 8000': 4, 'chapters of the rows that are kept': 2 })
    expect(first?.leftOut).toEqual({
      'rows of length 8000 or less': 1,
      'rows without a summary': 1,
      'rows without a length': 1,
    })
  })

  test('keeps rows without a length like the reference code; counts only rows that pass the filter', async () => {
    const texts = async (overrides: object) => (await read(path, overrides)).map(({ documents }) => documents[0]?.text)
    expect(await texts({ withoutLength: 'reference' })).toContain('Nobody counted.')
    expect(await texts({ items: 2 })).toEqual(['She said "no", and\nleft.'])
  })
})

describe('BookSum as alignments', () => {
  const row = (chapter: string, summary: string) => ({
    bid: '1',
    is_aggregate: false,
    source: 'guide',
    chapter_path: chapter,
    summary_path: summary,
    book_id: `Clock.${chapter}`,
    summary_id: 's',
  })
  const name = 'chapter_summary_aligned_test_split.jsonl'
  const files = {
    [name]: [row('a.txt', 's/a.json'), row('a.txt', 's/b.txt'), row('none.txt', 's/b.txt'), row('b.txt', 's/b.txt')]
      .map((item) => JSON.stringify(item))
      .join('\n'),
    'a.txt': 'word '.repeat(8001),
    'b.txt': 'Two words.',
    's/a.json': { name: 'A', summary: ['First.', 'Then.'], analysis: '' },
    's/b.txt': 'A text.\n',
  }

  test('reads the texts next to the file and skips rows without them', async () => {
    const path = folderOf(files)
    const [corpus, ...rest] = await read(path)
    expect(rest).toEqual([])
    expect(corpus?.questions.map(({ reference }) => reference)).toEqual([
      { kind: 'summary', accepted: ['First.\n\nThen.'] },
      { kind: 'summary', accepted: ['A text.'] },
    ])
    expect(corpus?.leftOut).toEqual({ 'rows whose texts are not there': 1, 'rows of length 8000 or less': 1 })
    expect(await booksum.files(path, options())).toEqual(
      [name, 'a.txt', 's/a.json', 's/b.txt', 'b.txt'].map((file) => join(path, file)),
    )
  })

  test('reads whole books and names a file without a summary', async () => {
    const book = { bid: '1', source: 'guide', title: 'The Clock', summary_path: 's/b.txt', book_path: 'a.txt' }
    const path = folderOf({ ...files, 'books.jsonl': JSON.stringify(book) })
    const [corpus] = await read(join(path, 'books.jsonl'))
    expect(corpus?.documents[0]?.title).toBe('The Clock')
    const empty = folderOf({ ...files, 's/a.json': { name: 'A' } })
    await expect(read(empty)).rejects.toThrow(/s\/a\.json: lacks "summary"; expected/)
    expect((await gather(booksum.corpora(empty, options(), 'skip')))[0]?.questions).toHaveLength(1)
  })
})

const alignmentLines = (item: object, count: number): string =>
  join(folderOf({ 'rows.jsonl': Array<string>(count).fill(JSON.stringify(item)).join('\n') }), 'rows.jsonl')
const place = { bid: '1', source: 'guide', summary_path: 's/none.txt' }

test.each<[string, number]>([
  [alignmentLines({ ...place, book_id: 'Clock.1', chapter_path: 'none.txt' }, 2), 2],
  [alignmentLines({ ...place, title: 'The Clock', book_path: 'none.txt' }, 3), 3],
  ...inReferenceData(
    ['summaries/booksum/chapter_summary_aligned_test_split.sample10.jsonl', 10],
    ['summaries/booksum/book_summaries_aligned_test.sample5.jsonl', 5],
  ),
])('%s: %i rows, all without their texts', async (file, rows) => {
  await expect(read(file)).rejects.toThrow(
    `no questions remain of rows (${rows}) (left out: rows whose texts are not there (${rows}))`,
  )
})
