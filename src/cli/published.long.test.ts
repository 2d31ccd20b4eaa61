import { readdirSync, statSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { gembench } from '../test-support/cli.ts'

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

  test.each(Object.keys(trials))('%s is smaller than 5 MB', (name) => {
    const files = readdirSync(join(folder, name), { recursive: true, encoding: 'utf8' })
    const size = files.reduce((sum, file) => sum + statSync(join(folder, name, file)).size, 0)
    expect(size).toBeLessThan(5_000_000)
  })
})
