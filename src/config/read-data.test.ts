import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { mistakesOf } from '../test-support/fake-configs.ts'
import { readData } from './index.ts'

const folder = mkdtempSync(join(tmpdir(), 'gembench-config-'))
afterAll(() => rmSync(folder, { recursive: true }))

const schema = z
  .strictObject({ name: z.string(), cells: z.array(z.strictObject({ row: z.string(), value: z.number().nullable() })) })
  .superRefine(({ cells }, context) => {
    const at = cells.findIndex(({ row }) => row === 'nobody')
    if (at >= 0) context.addIssue({ code: 'custom', path: ['cells', at, 'row'], message: 'there is no such row' })
  })

const read = (text: string) => {
  writeFileSync(join(folder, 'a.json'), text)
  return readData('a.json', folder, schema)
}

test('valid JSON is returned unchanged', async () => {
  const value = {
    name: 'ü "quoted"',
    cells: [
      { row: 'a', value: 44.7 },
      { row: 'b', value: null },
    ],
  }
  expect(await read(JSON.stringify(value, null, 2))).toEqual(value)
})

test.each([
  [
    '{\n  "name": "a",\n  "cells": [\n    { "row": "b", "valu": 1 }\n  ]\n}',
    ['a.json:4:19: unknown key in cells.0: "valu"; did you mean "value"? (known: row, value)'],
  ],
  ['{ "name": "a", "cells": [{ "row": "nobody", "value": 1 }] }', ['a.json:1:35: cells.0.row: there is no such row']],
  ['{ "name": 3, "cells": [] }', ['a.json:1:11: name: expected string, received number']],
  ['', ['a.json:1:1: is empty']],
])('%j is reported with file, line and column', async (text, mistakes) => {
  expect(await mistakesOf(read(text))).toEqual(mistakes)
})

test('a missing file is reported', async () => {
  expect(await mistakesOf(readData('b.json', folder, schema))).toEqual(['b.json: no such file; did you mean "a.json"?'])
})
