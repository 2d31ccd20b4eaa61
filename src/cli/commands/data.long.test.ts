import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cli, gembench } from '../../test-support/cli.ts'

const empty = (): string => mkdtempSync(join(tmpdir(), 'gembench-data-'))

test('check --use reads a folder with more files than a process may open', () => {
  const here = empty()
  mkdirSync(join(here, 'notes'))
  for (let number = 0; number < 600; number++) writeFileSync(join(here, 'notes', `${number}.txt`), `Note ${number}.`)
  writeFileSync(join(here, 'notes', 'questions.csv'), 'question\nWhy?\n')
  const args = ['-c', 'ulimit -n 400 && exec "$@"', 'sh', process.execPath, cli, 'check', 'notes', '--use', 'files']
  const out = execFileSync('sh', args, { cwd: here, encoding: 'utf8' })
  expect(out).toMatch(/^601 files of notes {2}sha256 [\da-f]{64}\n1 corpus, 600 documents, 1 question\n$/)
})

test('ls datasets prints how to get each dataset, without repetition', async () => {
  const { out } = await gembench(empty(), 'ls', 'datasets')
  expect(out).toContain('not present; for your own folder: gembench init FOLDER\n  own data\n')
  expect(out).toContain('download: gembench data get quality\n')
  expect(out).not.toContain('own data; own data')
})
