import { stringify } from 'csv-stringify/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvRows, type CsvRow } from './csv-rows.ts'

async function rowsOf(text: string): Promise<CsvRow[]> {
  const rows: CsvRow[] = []
  for await (const row of csvRows('a.csv', text)) rows.push(row)
  return rows
}

test.each([
  ['id,text\na,"b\nc\nd"\n\n\ne,f\n', 1, [2, 7]],
  ['id,text\r\na,"b\r\nc"\r\n\r\nd,e', 1, [2, 5]],
  ['\n\n"i\nd",text\na,b\n', 3, [5]],
  ['id,text\ra,"b\rc"\rd,e\r', 1, [2, 4]],
])('%j: a record has the line on which it begins, and the columns theirs', async (text, header, lines) => {
  const rows = await rowsOf(text)
  expect(rows.map(({ line }) => line)).toEqual(lines)
  expect(new Set(rows.map((row) => row.header))).toEqual(new Set([header]))
})

test('the same of any cells, however much is read at a time', async () => {
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

const others = 'x,y\n'.repeat(25)

test.each([
  [
    `id,text\na,b\nc,d\ne,f\ng,"never closed\n${others}`,
    'a.csv:5: malformed CSV: a cell of this record begins with a quote that nothing closes; close it, or write',
  ],
  ['"id,text\na,b\n', 'a.csv:1: malformed CSV: a cell of this record begins with a quote that nothing closes'],
  [
    `id,text\na,"x\ny\nz",w\n${others}`,
    'a.csv:2: malformed CSV: this record has 3 cells, and the first row names 2 columns; put a cell that holds "," in quotes',
  ],
  ['id;text\n\na\n', 'a.csv:3: malformed CSV: this record has 1 cell, and the first row names 2 columns'],
  [
    `id,text\na,"b\nc" d\n${others}`,
    'a.csv:2: malformed CSV: a quoted cell of this record ends on line 3, and more text follows its last quote; write a quote within a cell as "", and',
  ],
  ['id,text\na,b"c"\n', 'a.csv:2: malformed CSV: a quote stands within the cell "text", which does not begin with one'],
  ['\nid,id\na,b\n', 'a.csv:2: two columns are named "id"'],
])('%j is refused on the line of the record, in our own words', async (text, said) => {
  const failure = rowsOf(text)
  await expect(failure).rejects.toMatchObject({ name: 'UserError', message: expect.stringContaining(said) })
  await expect(failure).rejects.not.toThrow(/trimable|Invalid|Not Closed/)
})
