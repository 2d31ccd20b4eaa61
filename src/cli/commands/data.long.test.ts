import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { cli, gembench } from '../../test-support/cli.ts'
import { folderOf } from '../../test-support/dataset-copies/write-files.ts'

test('check --use reads a folder with more files than a process may open', () => {
  const notes = Array.from({ length: 600 }, (_, number) => [`notes/${number}.txt`, `Note ${number}.`] as const)
  const here = folderOf({ ...Object.fromEntries(notes), 'notes/questions.csv': 'question\nWhy?\n' })
  const args = ['-c', 'ulimit -n 400 && exec "$@"', 'sh', process.execPath, cli, 'check', 'notes', '--use', 'files']
  const out = execFileSync('sh', args, { cwd: here, encoding: 'utf8' })
  expect(out).toMatch(/^601 files of notes {2}sha256 [\da-f]{64}\n1 corpus, 600 documents, 1 question\n$/)
})

test('ls datasets prints how to get each dataset, without repetition', async () => {
  const { out } = await gembench(folderOf({}), 'ls', 'datasets')
  expect(out).toContain('not present; for your own folder: gembench init FOLDER\n  own data\n')
  expect(out).toContain('download: gembench data get quality\n')
  expect(out).not.toContain('own data; own data')
})
