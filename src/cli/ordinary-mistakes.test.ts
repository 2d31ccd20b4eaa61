import { mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { lockFolder } from '../run/results/lock.ts'
import { tinyProject } from '../test-support/tiny.ts'
import { gembench, expectRefusal } from '../test-support/cli.ts'

const run = ['run', '-c', 'tiny.yaml', '--methods', 'bm25'] as const

const varyFlags = ['--set', 'vary={chunks.size: [20, 40]}'] as const

describe('an ordinary mistake ends with exit code 2 and one line', () => {
  test.each<[readonly string[], string]>([
    [[...run, '--results', 'a-file'], 'a-file: is not a folder; name another'],
    [[...run, '--results', '/proc/none'], '; name another folder with --results'],
    [[...run, ...varyFlags, '--results', 'a-file'], 'a-file: is not a folder'],
    [[...run, '--cache-folder', 'a-file'], 'a-file/calls/calls.log: cannot open the'],
    [['table', 'a-file'], 'a-file: is not a results folder'],
    [['graph', '-c', 'tiny.yaml', '-o', 'none/graph.html'], 'cannot be written here'],
    [['graph', '--text', 'tiny.yml'], 'tiny.yml: no such file or folder; did you mean "tiny.yaml"?'],
    [['check', 'data', '--use', './none.ts'], './none.ts: no such file'],
  ])('%j is reported', async (args, message) => {
    const project = await tinyProject()
    await writeFile(join(project, 'a-file'), '')
    const ended = gembench(project, ...args)
    await expectRefusal(ended, message)
    expect((await ended).err).toMatch(/^error [^\n]*\n$/)
  })

  test('refuses a link in place of a file of lines', async () => {
    const project = await tinyProject()
    await gembench(project, ...run, '--limit', '1')
    const [name = ''] = await readdir(join(project, 'results'))
    const file = join('results', name, 'meter.jsonl')
    await rm(join(project, file))
    await symlink('/dev/full', join(project, file))
    for (const args of [run, ['table', name], ['verify', name]]) {
      const result = await gembench(project, ...args)
      expect(result.code).toBe(2)
      expect(result.err).toMatch(/^error \S+meter\.jsonl: is a link; .*put the file itself there\n$/)
    }
  })

  test('names the process that holds a folder, and how to continue', async () => {
    const project = await tinyProject()
    await gembench(project, ...run, '--limit', '1')
    const [name = ''] = await readdir(join(project, 'results'))
    const release = await lockFolder(join(project, 'results', name))
    const result = await gembench(project, ...run)
    await release()
    expect(result.code).toBe(2)
    expect(result.err).toMatch(/^error .*process \d+ is writing to this folder; wait until it ends, .*--results\n$/)
  })
})

test('check --use reads a dataset exported by a file', async () => {
  const project = await tinyProject()
  await mkdir(join(project, 'mine'))
  await writeFile(
    join(project, 'mine.ts'),
    `import { defineDataset, z } from 'gembench'
export const mine = defineDataset({
  name: 'mine', summary: 'one text', source: '', licence: '', evidence: false, options: z.strictObject({ tag: z.string().default('a') }),
  files: async (path) => [path],
  async *corpora(path, { tag }) {
    yield { id: 'c', documents: [{ id: 'd', text: 'Words.' }], questions: [{ id: 'q', text: 'Who?', tags: [tag], reference: { kind: 'answer', accepted: [{ text: 'Ada' }] } }] }
  },
})`,
  )
  const result = await gembench(project, 'check', 'tiny.yaml', '--use', './mine.ts', '--set', 'tag=b', '--json')
  expect(result).toMatchObject({ code: 0, err: '' })
  expect(JSON.parse(result.out)).toMatchObject({ corpora: 1, documents: 1, questions: 1, tags: { b: 1 } })
})
