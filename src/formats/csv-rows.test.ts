import { stringify } from 'csv-stringify/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvRows, type CsvRow } from './csv-rows.ts'

async function rowsOf(text: string, file = 'a.csv'): Promise<CsvRow[]> {
  const rows: CsvRow[] = []
  for await (const row of csvRows(file, text)) rows.push(row)
  return rows
}

test.each([
  ['id,text\na,"b\nc\nd"\n\n\ne,f\n', 1, [2, 7]],
  ['id,text\r\na,"b\r\nc"\r\n\r\nd,e', 1, [2, 5]],
  ['\n\n"i\nd",text\na,b\n', 3, [5]],
  ['id,text\ra,"b\rc"\rd,e\r', 1, [2, 4]],
  ['id,text\na,b\r\ne,f\r\ng,h\n', 1, [2, 3, 4]],
])('%j: a record has the line on which it begins, and the columns theirs', async (text, header, lines) => {
  const rows = await rowsOf(text)
  expect(rows.map(({ line }) => line)).toEqual(lines)
  expect(new Set(rows.map((row) => row.header))).toEqual(new Set([header]))
})

test('reads any cells, for any block size', async () => {
  const cell = fc.string({ unit: fc.constantFrom('a', 'ü', '"', ',', '\n', ' ') })
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.constant('x'), cell), { minLength: 1 }), async (cells) => {
      const records = [['id', 'text'], ...cells].map((one) => stringify([one]))
      const lines = records.map((_, index) => records.slice(0, index).join('').split('\n').length)
      expect((await rowsOf(records.join(''))).map(({ line }) => line)).toEqual(lines.slice(1))
    }),
    { numRuns: 50 },
  )
  const long = `id,text\n${'a,"b\nc"\n'.repeat(30_000)}`
  expect((await rowsOf(long)).at(-1)?.line).toBe(60_000)
})

test.each([
  ['rows without a value, and cells behind the last column', 'id,text,,\na,b,,\n,,,\n , \t,,\nc,d,,,,\n', [2, 5]],
  ['an empty row above the names', ',,\nid,text,\na,b,\nc,d,\n', [3, 4]],
  ['the separator in a first line', 'sep=;\nid;text\na;b\n;\nc;d\n', [3, 5]],
  ['that line quoted, with a byte order mark and cells behind it', '\uFEFF"sep=,",\r\nid,text\r\na,b\r\nc,d', [3, 4]],
  ['a tab in that line', 'sep=\t\nid\ttext\na\tb\nc\td\n', [3, 4]],
])('%s of Excel are read', async (_what, text, lines) => {
  const rows = await rowsOf(text)
  expect(rows.map(({ value }) => value)).toEqual([
    { id: 'a', text: 'b' },
    { id: 'c', text: 'd' },
  ])
  expect(rows.map(({ line }) => line)).toEqual(lines)
})

test.each([
  ['id;text\na;3,5\n', '3,5'],
  ['id;text, if any\na;1,5\n', '1,5'],
  ['id\ttext\na\t5" pipe\n', '5" pipe'],
  ['id\ttext\na\t"Heart" is the title\n', '"Heart" is the title'],
  ['id\ttext\na\t"two\nlines, and ""quotes"""\n', 'two\nlines, and "quotes"'],
])('%j: the cell is read as it stands', async (text, cell) => {
  const [row] = await rowsOf(text)
  expect(Object.values(row?.value ?? {})).toEqual(['a', cell])
})

test('separates .tsv files by tabs, also with one column', async () => {
  expect((await rowsOf('question\nWho, what?\n', 'a.tsv')).map(({ value }) => value)).toEqual([
    { question: 'Who, what?' },
  ])
})

const others = 'x,y\n'.repeat(25)

test.each([
  [
    `id,text\na,b\nc,d\ne,f\ng,"never closed\n${others}`,
    'a.csv:5: malformed CSV: a quote in this record is not closed, or text stands before it or after its end; write a quote within',
  ],
  ['"id,text\na,b\n', 'a.csv:1: malformed CSV: a quote in this record is not closed'],
  [
    `id,text\na,"x\ny\nz",w\n${others}`,
    'a.csv:2: malformed CSV: this record has 3 cells, and the first row names 2 columns; put a cell that holds "," in quotes',
  ],
  ['id;text\n\na\n', 'a.csv:3: malformed CSV: this record has 1 cell, and the first row names 2 columns'],
  [
    `id,text\na,"b\nc" d\n${others}`,
    'a.csv:2: malformed CSV: a quote in this record is not closed, or text stands before it or after its end',
  ],
  ['id,text\na,b"c"\n', 'a.csv:2: malformed CSV: a quote in this record is not closed, or text'],
  ['id\ttext\na\t"one\nb\ttwo"\n', 'a.csv:2: malformed CSV: a quoted cell holds a tab and a line break'],
  ['id,text\na,b,,c\n', 'a.csv:2: malformed CSV: this record has 4 cells, and the first row names 2 columns'],
  ['\nid,id\na,b\n', 'a.csv:2: two columns are named "id"'],
])('%j is refused on the line of the record, in our own words', async (text, said) => {
  const failure = rowsOf(text)
  await expect(failure).rejects.toMatchObject({ name: 'UserError', message: expect.stringContaining(said) })
  await expect(failure).rejects.not.toThrow(/trimable|Invalid|Not Closed/)
})
