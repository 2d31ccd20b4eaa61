import { readdirSync, statSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { TrialLine } from '../records.ts'
import { openResults } from '../run/index.ts'
import { writeManifest } from '../run/results/results.ts'
import { gembench } from '../test-support/cli.ts'
import { acceptedTexts } from '../scorers/shared/credited.ts'

const folder = fileURLToPath(new URL('../../results/published', import.meta.url))

describe('results/published', () => {
  test('holds a run of rules alone and one of a language model', () => {
    expect(readdirSync(folder).sort()).toEqual(['hipporag2-recall', 'smollm2-135m'])
  })

  test.each(readdirSync(folder))('%s: every digest, call, score and table is as it was published', async (name) => {
    const { code, out, err } = await gembench(join(folder, '..'), 'verify', join('published', name))
    const others = out.split('\n').filter((line) => !line.startsWith('same'))
    // the films of one run are followed where they are trusted; the other result has no answers
    const left = name === 'smollm2-135m' ? /8c79d08b: retrieval: .* is not followed/ : /^none +answers: 60 .*no answer/
    expect(others).toEqual([expect.stringMatching(left), ''])
    const asked = name === 'smollm2-135m' ? [100, 100, 100] : [60]
    expect(Array.from(out.matchAll(/^same .*: (\d+) of \1 trials the same/gm), ([, n]) => Number(n))).toEqual(asked)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain('it repeats without a call')
    expect(out).toContain('the same when scored again without a network')
  })

  test('with every answer of a run set to the right one, and its checksums mended, it is told', async () => {
    const copy = await mkdtemp(join(tmpdir(), 'gembench-forged-'))
    await cp(join(folder, 'smollm2-135m'), copy, { recursive: true })
    const run = join(copy, 'smollm2-135m-da64032f')
    const file = join(run, 'trials.jsonl')
    const forged = (await readFile(file, 'utf8')).replace(/^\{"line":"trial".*$/gm, (line) => {
      const trial = JSON.parse(line) as TrialLine
      return JSON.stringify({ ...trial, answer: { text: acceptedTexts(trial.question.reference)[0] } })
    })
    await writeFile(file, forged)
    const { manifest } = await openResults(run, '')
    await writeManifest(run, manifest)
    const { code, out } = await gembench(copy, 'verify', copy)
    expect(out).toContain('smollm2-135m-da64032f: digests: trials, passages, scores, meter, manifest as the run left')
    expect(out).toMatch(/^differs .*da64032f: answers: 0 of 100 trials the same when asked again/m)
    expect(out).toMatch(/^differs .*da64032f: retrieval: 0 of \d+ trials the same/m)
    expect(code).toBe(3)
    await rm(copy, { recursive: true })
  })

  test('no file is larger than 3 MB', () => {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    expect(files.filter((file) => statSync(join(folder, file)).size > 3_000_000)).toEqual([])
  })
})
