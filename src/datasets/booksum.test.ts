import { describe, expect, test } from 'vitest'
import { folderOf } from '../test-support/dataset-copies/write-files.ts'
import { gather } from '../testing/dataset.ts'
import { booksum } from './booksum.ts'

const read = (path: string, options: object = {}) => gather(booksum.corpora(path, booksum.options.parse(options)))

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
    expect(first?.holds).toEqual({ rows: 6, 'rows longer than 8000': 4 })
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
