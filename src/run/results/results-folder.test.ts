import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { UserError } from '../../errors.ts'
import { withResultsFolder } from './results-folder.ts'

let root: string
beforeAll(async () => void (root = await mkdtemp(join(tmpdir(), 'gembench-begun-'))))
afterAll(() => rm(root, { recursive: true }))

const usage = { calls: 0, promptTokens: 0, completionTokens: 0, embeddedTokens: 0, estimated: 0 }
const row = { method: 'bm25', variant: '', methodId: 'a', corpus: 'c' }
const index = { line: 'index', id: 'i', ...row, documents: 1, chunks: 1, usage }
const trial = {
  line: 'trial',
  id: 't',
  ...row,
  repeat: 0,
  context: [],
  question: { id: 'q', text: 'Q?', tags: [], reference: { kind: 'answer', accepted: [{ text: 'A' }] } },
  stopped: 'end',
  usage: { retrieve: usage, answer: usage },
}

let count = 0
/** Writes files into a folder two levels below one that is there, ends with the error, and gives what is left. */
async function left(contents: Readonly<Record<string, string | readonly object[]>>, error: Error): Promise<string[]> {
  const folder = join(root, `place-${count++}`, 'run')
  await expect(
    withResultsFolder(folder, async () => {
      for (const [name, content] of Object.entries(contents))
        await writeFile(
          join(folder, name),
          typeof content === 'string' ? content : content.map((line) => `${JSON.stringify(line)}\n`).join(''),
        )
      throw error
    }),
  ).rejects.toBe(error)
  return existsSync(folder) ? (await readdir(folder)).sort() : existsSync(join(folder, '..')) ? ['empty'] : []
}

const mistake = new UserError('the server is not there')
const begun = { 'manifest.json': '{}', 'meter.jsonl': '', 'scores.jsonl': '', 'used-calls.jsonl': '"ab"\n' }

describe('a run that stops with a user error', () => {
  test('removes a folder that it created and that has no trial', async () => {
    expect(await left({}, mistake)).toEqual([])
    expect(await left(begun, mistake)).toEqual([])
    expect(await left({ ...begun, 'trials.jsonl': [index] }, mistake)).toEqual([])
  })

  test.each<[string, Readonly<Record<string, readonly object[]>>]>([
    ['a trial', { 'trials.jsonl': [index, trial] }],
    ['a failure', { 'trials.jsonl': [{ ...index, failure: { phase: 'index', kind: 'server', message: 'x' } }] }],
  ])('keeps %s and all other files', async (_what, lines) => {
    expect(await left({ ...begun, ...lines }, mistake)).toEqual(Object.keys({ ...begun, ...lines }).sort())
  })

  test('keeps files of other programs', async () => {
    expect(await left({ ...begun, 'mine.txt': 'x' }, mistake)).toEqual(['mine.txt'])
  })

  test('leaves a folder that existed before unchanged', async () => {
    const folder = join(root, 'before')
    await mkdir(folder)
    await writeFile(join(folder, 'manifest.json'), '{}')
    await expect(withResultsFolder(folder, () => Promise.reject(mistake))).rejects.toBe(mistake)
    expect(await readdir(folder)).toEqual(['manifest.json'])
  })
})

test('a run that is interrupted, or fails for another reason, keeps its folder', async () => {
  for (const error of [new DOMException('stopped', 'AbortError'), new Error('no space')])
    expect(await left(begun, error)).toEqual(Object.keys(begun).sort())
})
