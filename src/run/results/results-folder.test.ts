import { existsSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { UserError } from '../../errors.ts'
import { folderOf } from '../../test-support/dataset-copies/write-files.ts'
import { indexLines, madeRun, trialLine } from '../../test-support/fake-run.ts'
import { withResultsFolder } from './results-folder.ts'

const indexes = indexLines(madeRun({ rows: { bm25: {} } }).manifest, () => 1)
const trial = trialLine('id of bm25', 'q')
const failure = { phase: 'index', kind: 'server', message: 'x' }

/** Writes files into a folder two levels below one that is there, ends with the error, and gives what is left. */
async function left(contents: Readonly<Record<string, string | readonly object[]>>, error: Error): Promise<string[]> {
  const folder = join(folderOf({}), 'place', 'run')
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
    expect(await left({ ...begun, 'trials.jsonl': indexes }, mistake)).toEqual([])
  })

  test.each<[string, Readonly<Record<string, readonly object[]>>]>([
    ['a trial', { 'trials.jsonl': [...indexes, trial] }],
    ['a failure', { 'trials.jsonl': indexes.map((line) => ({ ...line, failure })) }],
  ])('keeps %s and all other files', async (_what, lines) => {
    expect(await left({ ...begun, ...lines }, mistake)).toEqual(Object.keys({ ...begun, ...lines }).sort())
  })

  test('keeps files of other programs', async () => {
    expect(await left({ ...begun, 'mine.txt': 'x' }, mistake)).toEqual(['mine.txt'])
  })

  test('leaves a folder that existed before unchanged', async () => {
    const folder = folderOf({ 'manifest.json': '{}' })
    await expect(withResultsFolder(folder, () => Promise.reject(mistake))).rejects.toBe(mistake)
    expect(await readdir(folder)).toEqual(['manifest.json'])
  })
})

test('a run that is interrupted, or fails for another reason, keeps its folder', async () => {
  for (const error of [new DOMException('stopped', 'AbortError'), new Error('no space')])
    expect(await left(begun, error)).toEqual(Object.keys(begun).sort())
})
