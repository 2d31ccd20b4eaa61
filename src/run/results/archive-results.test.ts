import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderOf } from '../../test-support/dataset-copies/write-files.ts'
import { archiveResults } from './results-folder.ts'

const folder = folderOf({})

const write = (root: string, name: string, text: string): void => {
  mkdirSync(join(root, name), { recursive: true })
  writeFileSync(join(root, name, 'trials.jsonl'), text)
}
const read = (root: string, name: string): Promise<string> => readFile(join(root, name, 'trials.jsonl'), 'utf8')

test('keeps earlier results in a numbered folder each time new ones replace them', async () => {
  const source = join(folder, '.again')
  write(folder, 'run-1', 'first')
  write(source, 'run-1', 'second')
  write(source, 'run-2', 'new')
  expect(await archiveResults(source, folder, ['run-1', 'run-2'])).toBe(join(folder, 'earlier-1'))
  expect(await read(folder, 'run-1')).toBe('second')
  expect(await read(folder, 'run-2')).toBe('new')
  expect(await read(join(folder, 'earlier-1'), 'run-1')).toBe('first')
  expect(existsSync(source)).toBe(false)
  write(source, 'run-1', 'third')
  expect(await archiveResults(source, folder, ['run-1'])).toBe(join(folder, 'earlier-2'))
  expect(await read(join(folder, 'earlier-2'), 'run-1')).toBe('second')
  expect((await readdir(folder)).sort()).toEqual(['earlier-1', 'earlier-2', 'run-1', 'run-2'])
})

test('moves nothing if there are no earlier results', async () => {
  const source = join(folder, '.again')
  write(source, 'run-3', 'new')
  expect(await archiveResults(source, folder, ['run-3'])).toBeUndefined()
  expect(await read(folder, 'run-3')).toBe('new')
})
