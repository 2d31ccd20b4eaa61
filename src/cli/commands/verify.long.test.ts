import { appendFile, cp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import type { IndexLine, TrialLine } from '../../records.ts'
import { callsOf, exportCalls, openResults } from '../../run/index.ts'
import { writeManifest } from '../../run/results/results.ts'
import { writeTables } from '../../library/write-tables.ts'
import { gembench, resultsOf, type CliEnded } from '../../test-support/cli.ts'
import { copyOf } from '../../test-support/dataset-copies/dataset-copies.ts'
import { fakeServer } from '../../test-support/servers/server.ts'
import { tinyProject } from '../../test-support/tiny.ts'

const scorers = ['accuracy', 'qasper-f1', 'retrieval', 'faithfulness', 'failure-cause']
let project: string
let folder: string
const verify = (...flags: readonly string[]) => gembench(project, 'verify', folder, ...flags)

/** Verifies a copy of a run after a change of its files, with the checksums that fit the change. */
async function verifyChanged(
  home: string,
  results: string,
  change: (copy: string) => Promise<unknown>,
  ...flags: readonly string[]
): Promise<CliEnded> {
  const copy = join(home, 'results', 'changed')
  await cp(join(home, results), copy, { recursive: true })
  await change(copy)
  await writeManifest(copy, (await openResults(copy, '')).manifest)
  const result = await gembench(home, 'verify', 'changed', ...flags)
  await rm(copy, { recursive: true })
  return result
}

const free = { calls: 0, promptTokens: 0, completionTokens: 0, embeddedTokens: 0, estimated: 0 }
const second = { kind: 'answer', accepted: [{ text: 'another one' }] }

beforeAll(async () => {
  project = await tinyProject({ scorers, methods: ['bm25', 'oracle'] })
  folder = await resultsOf(project)
  const keys = await callsOf(await openResults(join(project, folder), ''))
  await exportCalls(join(project, 'cache'), join(project, folder, 'calls.jsonl.gz'), keys)
})

test('verifies an unchanged run with its calls', async () => {
  const { code, out } = await verify()
  expect(out.split('\n').map((line) => line.split(':')[0])).toEqual([
    ...['same     digests', 'same     lines', 'same     calls', 'none     retrieval'],
    ...['same     scores', 'same     table.md', 'same     table.csv', 'same     usage.csv'],
    ...['same     table.tex', 'same     table.json', ''],
  ])
  expect(code).toBe(0)
})

test('cannot reproduce judge scores without calls, and replays the run by those in the cache', async () => {
  const calls = join(project, folder, 'calls.jsonl.gz')
  await rename(calls, `${calls}.away`)
  const { code, out } = await verify('--cache-folder', 'none')
  const inCache = await verify('--trust')
  await rename(`${calls}.away`, calls)
  expect(out).toContain('unknown  scores: calls of a judge are missing')
  expect(out).toContain('none     retrieval: not replayed: no calls are recorded')
  expect(code).toBe(3)
  expect(inCache.out).toContain('same     retrieval: 6 of 6 trials unchanged when replayed\n')
  expect(inCache.code).toBe(0)
})

describe('detects a change despite matching checksums:', () => {
  type Line = TrialLine | IndexLine
  const inTrials = (forge: (line: TrialLine) => object) => (line: Line) =>
    line.line === 'trial' ? [forge(line)] : [line]

  test.each<[string, (line: Line) => readonly object[], RegExp]>([
    [
      'an answer',
      inTrials(({ answer, ...line }) => ({ ...line, answer: answer && { ...answer, text: 'the right one' } })),
      /differs {2}retrieval: 0 of 6 trials unchanged .*; lines differ: trials\.jsonl:2, .*\n/,
    ],
    [
      'the usage of an answer',
      inTrials((line) => ({ ...line, usage: { ...line.usage, answer: free } })),
      /differs {2}retrieval: 1 of 6 /,
    ],
    [
      'a reference',
      inTrials((line) => ({ ...line, question: { ...line.question, reference: second } })),
      /differs {2}retrieval: 0 of 6 trials/,
    ],
    ['a rank', inTrials((line) => ({ ...line, asked: 9 })), /differs {2}retrieval: 0 of 6 trials/],
    [
      'the usage of an index',
      (line) => [line.line === 'index' ? { ...line, usage: { ...line.usage, calls: 9 } } : line],
      /differs {2}retrieval: 6 of 6 trials .*; lines differ: trials\.jsonl:1, /,
    ],
    [
      'the set of questions',
      (line) => (line.line === 'trial' && line.question.id === 'oven' ? [] : [line]),
      /differs {2}retrieval: 4 of 4 trials .*; trials without a line in trials.jsonl: [0-9a-f]{16}, [0-9a-f]{16}\n/,
    ],
  ])('%s is forged', async (_what, forge, message) => {
    const forgeLines = async (copy: string) => {
      const lines = (await readFile(join(copy, 'trials.jsonl'), 'utf8')).trimEnd().split('\n')
      const forgeries = lines.flatMap((text) => forge(JSON.parse(text) as Line))
      await writeFile(join(copy, 'trials.jsonl'), forgeries.map((line) => `${JSON.stringify(line)}\n`).join(''))
    }
    const { code, out } = await verifyChanged(project, folder, forgeLines, '--trust')
    expect(out).toContain('same     digests')
    expect(out).toMatch(message)
    expect(code).toBe(3)
  })

  test('a line is duplicated', async () => {
    const { code, out } = await verifyChanged(project, folder, async (copy) => {
      for (const name of ['trials.jsonl', 'scores.jsonl']) {
        const text = await readFile(join(copy, name), 'utf8')
        await writeFile(join(copy, name), text + text.slice(text.lastIndexOf('\n', text.length - 2) + 1))
      }
    })
    expect(out).toMatch(/^differs {2}lines: trials\.jsonl:8, scores\.jsonl:\d+: /m)
    expect(code).toBe(3)
  })
})

describe('a run that was not published', () => {
  let own: string
  let name: string
  beforeAll(async () => {
    own = await tinyProject({ scorers: ['accuracy'], methods: ['bm25'] })
    name = basename(await resultsOf(own))
  })

  test('reports missing calls without a failure', async () => {
    const { code, out } = await gembench(own, 'verify', name)
    expect(code).toBe(0)
    expect(out).toContain('none     calls: not in this folder; gembench publish writes the calls of a finished run')
    const { checks } = JSON.parse((await gembench(own, 'verify', name, '--json')).out) as { checks: readonly object[] }
    expect(checks.filter((check) => !('ok' in check))).toMatchObject([{ check: 'calls' }, { check: 'retrieval' }])
  })

  test('does not report scorers of another version as different', async () => {
    const { out } = await verifyChanged(own, join('results', name), async (copy) => {
      for (const file of ['manifest.json', 'scores.jsonl']) {
        const text = await readFile(join(copy, file), 'utf8')
        const [, id = ''] = /"scorer":\s*"accuracy",\s*"(?:scorerI|i)d":\s*"(\w+)"/.exec(text) ?? []
        await writeFile(join(copy, file), text.replaceAll(`"${id}"`, '"0123456789ab"'))
      }
    })
    expect(out).toContain('unknown  scores: not scored again: accuracy (changed in this version)\n')
  })

  test('refuses a run that has not ended', async () => {
    const manifest = join(own, 'results', name, 'manifest.json')
    const { checksums: _sums, ...unfinished } = JSON.parse(await readFile(manifest, 'utf8')) as Record<string, unknown>
    await writeFile(manifest, JSON.stringify({ ...unfinished, finished: null }))
    for (const file of ['trials.jsonl', 'scores.jsonl']) await writeFile(join(own, 'results', name, file), '')
    const { code, out } = await gembench(own, 'verify', name)
    expect(code).toBe(3)
    expect(out).toContain('unknown  digests: the run has not ended, so its manifest has no digests')
    expect(out).toContain('none     scores: the run has no scores\n')
    expect(out).not.toMatch(/same +(?:calls|scores)/)
  })
})

describe('a run on a built-in dataset in the folder of its downloads', () => {
  let own: string
  let name: string
  beforeAll(async () => {
    own = await tinyProject({ dataset: 'squality', scorers: ['rouge'], methods: ['bm25'] })
    await cp(copyOf('squality'), join(own, 'datasets', 'squality'), { recursive: true })
    name = basename(await resultsOf(own))
  })

  test('is replayed without --trust', async () => {
    const { code, out } = await gembench(own, 'verify', name)
    expect(out).toMatch(/^same {5}retrieval: (\d+) of \1 trials unchanged /m)
    expect(code).toBe(0)
  })

  test('with a forged answer, and scores, tables and checksums made from it, is refused with file and line', async () => {
    const { code, out } = await verifyChanged(own, join('results', name), async (copy) => {
      const file = join(copy, 'trials.jsonl')
      await writeFile(file, (await readFile(file, 'utf8')).replace(/("answer":\{"text":")[^"]*/, '$1A forged answer.'))
      expect((await gembench(own, 'score', 'changed')).code).toBe(0)
      await writeTables(copy)
    })
    expect(out).toMatch(/^same {5}digests/m)
    expect(out).toMatch(/^same {5}scores/m)
    expect(out).toMatch(/^same {5}table\.json/m)
    expect(out).toMatch(/^differs {2}retrieval: .*; lines differ: trials\.jsonl:2\b/m)
    expect(code).toBe(3)
  })

  test.each([
    ['path: datasets/squality', { use: 'squality', path: 'datasets/squality' }],
    ['an option with a path', { use: 'squality', options: { split: '../squality/test' } }],
  ])('is not replayed without --trust where the manifest has %s', async (_what, dataset) => {
    const { out } = await verifyChanged(own, join('results', name), async (copy) => {
      const { manifest } = await openResults(copy, '')
      await writeManifest(copy, { ...manifest, config: { ...manifest.config, dataset } })
    })
    expect(out).toContain('none     retrieval: not replayed: the config names its dataset by a path; --trust reads it')
  })
})

test('detects an edited table and an edited score', async () => {
  const scores = join(project, folder, 'scores.jsonl')
  const before = await readFile(scores, 'utf8')
  await writeFile(scores, before.replace('"accuracy":1', '"accuracy":0'))
  await appendFile(join(project, folder, 'table.csv'), 'x')
  await rm(join(project, folder, 'table.tex'))
  const { code, out } = await verify()
  expect(code).toBe(3)
  expect(out).toContain('differs  digests: scores.jsonl changed since the run')
  expect(out).toMatch(/differs {2}scores: [1-9]\d* of \d+ lines differ when scored again, 0 are new: scores\.jsonl:\d+/)
  expect(out).toContain('differs  table.csv: differs when rendered again, first at table.csv:')
  expect(out).toContain('unknown  table.tex: no such file')
})

test('reports a missing call', async () => {
  const calls = join(project, folder, 'calls.jsonl.gz')
  const before = await readFile(calls)
  const lines = gunzipSync(before).toString()
  await writeFile(calls, gzipSync(lines.slice(lines.indexOf('\n') + 1)))
  const { code, out } = await verify()
  await writeFile(calls, before)
  expect(out).toMatch(/differs {2}calls: 1 of \d+ missing from calls.jsonl.gz: used-calls.jsonl:\d+\n/)
  expect(code).toBe(3)
})

test('replays calls of a model with maxTokens below the need of a task', async () => {
  const server = await fakeServer()
  const complete = { use: 'openai', model: 'm', baseUrl: server.url, apiKey: 'sk-1234567890abcdef', maxTokens: 20 }
  const dataset = { use: 'sample', options: { kinds: 'summary' }, limit: 3 }
  const own = await tinyProject({ dataset, scorers: ['rouge'], methods: ['bm25'], models: { complete, embed: 'fake' } })
  const results = await resultsOf(own)
  await server.close()
  const { out } = await gembench(own, 'verify', results, '--trust')
  expect(out).toContain('same     retrieval: 3 of 3 trials unchanged when replayed\n')
})
