import { stripVTControlCharacters } from 'node:util'
import { afterEach, expect, test, vi } from 'vitest'
import { captureOutput } from '../../test-support/capture-output.ts'
import { folderOf } from '../../test-support/dataset-copies/write-files.ts'
import { madeTable, questionsWith, writeRun } from '../../test-support/fake-run.ts'
import { tableCommand } from '../commands/table.ts'
import { printTables } from './print-table.ts'

const printed = captureOutput()
const { isTTY, columns } = process.stdout
afterEach(() => {
  Object.assign(process.stdout, { isTTY, columns })
  vi.restoreAllMocks()
})

const rows = {
  'a method with a rather long name': questionsWith(60, (index) => Number(index < 50)),
  bm25: questionsWith(60, (index) => Number(index < 10)),
}

async function shownAt(width: number, named?: readonly string[]): Promise<string> {
  Object.assign(process.stdout, { isTTY: true, columns: width })
  printTables([await madeTable({ rows })], { columns: named })
  return stripVTControlCharacters(printed.out)
}

test('prints all or named columns without omissions', async () => {
  const text = await shownAt(120, ['all'])
  expect(text).not.toContain('Hidden')
  expect(text).toMatch(/failed trials +failed scores/)
})

test('prints Markdown if the output is piped or --format md is given', async () => {
  const folder = await writeRun(folderOf({}), { rows })
  const said = async (format?: 'markdown'): Promise<string> => {
    printed.out = ''
    await tableCommand([folder], { results: '', ...(format && { format }) })
    return stripVTControlCharacters(printed.out)
  }
  Object.assign(process.stdout, { isTTY: true, columns: 100 })
  expect(await said()).not.toContain('| ---')
  expect(await said('markdown')).toContain('| ---')
  Object.assign(process.stdout, { isTTY: false })
  expect(await said()).toContain('| ---')
})
