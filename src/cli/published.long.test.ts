import { readdirSync, statSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { TrialLine } from '../records.ts'
import { openResults } from '../run/index.ts'
import { writeManifest } from '../run/results/results.ts'
import { gembench } from '../test-support/cli.ts'
import { tinyProject } from '../test-support/tiny.ts'

const folder = fileURLToPath(new URL('../../results/published', import.meta.url))

/** What an earlier version made is not asked again: its prompts, and the rows of BM25, are others now. */
const notAgain = new RegExp(
  `^(none .*(answers: \\d+ not asked again \\((a call is not kept|no answer was asked for)\\)|retrieval: not asked again: the (setting is not that of the run: another version|dataset is not followed).*)|same .*)$`,
)

describe('results/published', () => {
  test('holds a run of rules alone and one of a language model', () => {
    expect(readdirSync(folder).sort()).toEqual(['hipporag2-recall', 'smollm2-135m'])
  })

  test.each(readdirSync(folder))('%s: every digest, call, score and table is as it was published', async (name) => {
    const { code, out, err } = await gembench(join(folder, '..'), 'verify', join('published', name))
    const others = out.split('\n').filter((line) => !line.startsWith('same'))
    expect(others.filter((line) => !notAgain.test(line))).toEqual([''])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain('it repeats without a call')
    expect(out).toContain('the same when scored again without a network')
  })

  test('the contexts of a run without answers are the same when asked again', async () => {
    const { out } = await gembench(join(folder, '..'), 'verify', join('published', 'hipporag2-recall'))
    expect(out).toContain('retrieval: 60 of 60 trials the same when asked again from kept calls')
  })

  test('with every answer of a run set to the right one, and its checksums mended, it is told', async () => {
    const project = await tinyProject({ methods: ['bm25', 'vector'] })
    const { out: ran } = await gembench(project, 'run', '-c', 'tiny.yaml', '--json')
    const { folder: results } = JSON.parse(ran) as { folder: string }
    const shown = join(project, 'shown')
    await gembench(project, 'publish', results, shown)
    expect((await gembench(project, 'verify', shown)).out).toMatch(/^same .*answers: 6 of 6 trials the same/m)
    const file = join(shown, 'trials.jsonl')
    const forged = (await readFile(file, 'utf8')).replace(/^\{"line":"trial".*$/gm, (line) => {
      const trial = JSON.parse(line) as TrialLine
      return JSON.stringify({ ...trial, answer: { text: 'the right one', choice: 1 } })
    })
    await writeFile(file, forged)
    const { manifest } = await openResults(shown, '')
    await writeManifest(shown, manifest)
    const { code, out } = await gembench(project, 'verify', shown)
    expect(out).toContain('digests: trials, passages, scores, meter, manifest as the run left')
    expect(out).toMatch(/^differs .*answers: 0 of 6 trials the same when asked again/m)
    expect(out).toMatch(/^differs .*scores: of 16 lines, 6 not made again/m)
    expect(code).toBe(3)
  })

  test('no file is larger than 3 MB', () => {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    expect(files.filter((file) => statSync(join(folder, file)).size > 3_000_000)).toEqual([])
  })
})
