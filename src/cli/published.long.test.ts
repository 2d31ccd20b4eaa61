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
import { acceptedTexts } from '../scorers/shared/accepted-answers.ts'

const folder = fileURLToPath(new URL('../../results/published', import.meta.url))

describe('results/published', () => {
  /** Runs of each result, and the trials of each of these runs. */
  const trials: Readonly<Record<string, readonly number[]>> = {
    'embedders-2wiki': [153, 153, 153],
    'embedders-covidqa': [123, 123, 123],
    'embedders-qasper': [99, 99, 99],
    'fast-graphrag-2wiki': [707],
    'hipporag2-musique': [],
    'smollm2-135m': [100, 100],
  }

  test('contains the runs that results/FINDINGS.md names', async () => {
    expect(readdirSync(folder).sort()).toEqual(Object.keys(trials))
    const readme = await readFile(join(folder, '../FINDINGS.md'), 'utf8')
    for (const name of Object.keys(trials)) expect(readme).toContain(`(published/${name}/table.md)`)
  })

  test.each(Object.entries(trials))('%s: every digest, call, score and table is as published', async (name, counts) => {
    const none = await mkdtemp(join(tmpdir(), 'gembench-no-cache-'))
    const flags = [join('published', name), '--trust', '--cache-folder', none]
    const { code, out, err } = await gembench(join(folder, '..'), 'verify', ...flags)
    await rm(none, { recursive: true })
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out.split('\n').filter((line) => !/^(same|none) |^$/.test(line))).toEqual([])
    const trialCounts = Array.from(out.matchAll(/^same .*retrieval: (\d+) of \1 trials unchanged/gm), ([, n]) =>
      Number(n),
    )
    expect(trialCounts).toEqual(counts)
    expect(out.match(/the run repeats without a model/g) ?? []).toHaveLength(counts.length)
    expect(out).toContain('unchanged when scored again offline')
  })

  test('detects a run with forged answers and matching checksums', async () => {
    const copy = await mkdtemp(join(tmpdir(), 'gembench-forged-'))
    await cp(join(folder, 'smollm2-135m'), copy, { recursive: true })
    const run = join(copy, 'smollm2-135m-304a15d4')
    const file = join(run, 'trials.jsonl')
    const forgeries = (await readFile(file, 'utf8')).replace(/^\{"line":"trial".*$/gm, (line) => {
      const trial = JSON.parse(line) as TrialLine
      return JSON.stringify({ ...trial, answer: { text: acceptedTexts(trial.question.reference)[0] } })
    })
    await writeFile(file, forgeries)
    const { manifest } = await openResults(run, '')
    await writeManifest(run, manifest)
    const { code, out } = await gembench(copy, 'verify', copy)
    expect(out).toContain('smollm2-135m-304a15d4: digests: trials, passages, scores, meter, manifest unchanged')
    expect(out).toMatch(
      /^differs .*304a15d4: retrieval: 0 of \d+ trials unchanged when replayed; lines differ: trials.jsonl:2, /m,
    )
    expect(code).toBe(3)
    await rm(copy, { recursive: true })
  })

  test.each(Object.keys(trials))('%s is smaller than 5 MB', (name) => {
    const files = readdirSync(join(folder, name), { recursive: true, encoding: 'utf8' })
    const size = files.reduce((sum, file) => sum + statSync(join(folder, name, file)).size, 0)
    expect(size).toBeLessThan(5_000_000)
  })
})
