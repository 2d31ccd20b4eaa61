import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { RunConfig } from './run-config.ts'
import { run as runConfig } from '../library/run.ts'
import { defineMethod } from '../define.ts'
import type { Chunk, Passage } from '../types.ts'
import { sample } from '../datasets/sample/sample.ts'
import { readResults } from '../test-support/read-results.ts'
import { tinyPlan, tinyProject, tinySettings } from '../test-support/tiny.ts'
import { methodEntriesOf } from './prepare/method-entries.ts'
import { run } from './run.ts'

async function linesOf(methods: readonly unknown[]) {
  const project = await tinyProject({ methods })
  const { folder } = await run(await tinyPlan(project), tinySettings(project))
  return (await readResults(folder)).lines
}

const rows = [
  'unweaver',
  'unweaver-ppr',
  { use: 'hipporag2', label: 'a' },
  { use: 'hipporag2', label: 'b', passageNodeWeight: 0.3, filter: 'none' },
  { use: 'hipporag2', label: 'c', ungrounded: 'count' },
  'hipporag',
  { use: 'hipporag', label: 'letters of all scripts', normalise: 'unicode' },
]

test('rows that share a part of their index give the same lines as alone', async () => {
  const together = await linesOf(rows)
  const alone = await Promise.all(rows.map((row) => linesOf([row])))
  expect(together).toEqual(alone.flat())
  const costs = together.flatMap((line) => (line.line === 'index' ? [line.usage.calls] : []))
  expect(costs).toHaveLength(rows.length)
  expect(Math.min(...costs)).toBeGreaterThan(0)
})

test('rows share a part if all options that it depends on are equal', async () => {
  const plan = await tinyPlan(await tinyProject({ methods: [...rows, 'vector'] }))
  const entries = await methodEntriesOf(plan, sample, { questions: 3, withoutEvidence: 0 })
  const [weaver, walker, a, b, c, item, letters, vector] = entries.map(({ part }) => part)
  expect(walker).toBe(weaver)
  expect(b).toBe(a)
  expect(new Set([weaver, a, c, item, letters]).size).toBe(5)
  expect(vector).toBeUndefined()
})

/** The lines of a run with methods of this program, which share parts as built-in ones do. */
async function linesWith(methods: RunConfig['methods'], settings: Readonly<Record<string, unknown>>) {
  const project = await tinyProject({ ...settings })
  const config = JSON.parse(await readFile(join(project, 'tiny.yaml'), 'utf8')) as RunConfig
  const { results, cacheFolder } = tinySettings(project)
  const { folder } = await runConfig({ ...config, methods }, { cwd: project, results, cacheFolder })
  return (await readResults(folder)).lines
}

const passagesOf = (chunks: readonly Chunk[]): Passage[] =>
  chunks.map(({ id, text }) => ({ text, from: [id], kind: 'chunk', score: 1 }))

/** Says in `log` at which depth a part was made. */
const countingInto = (log: string[]) =>
  defineMethod({
    name: 'counting',
    version: 1,
    summary: 'Counts the parts that it makes.',
    options: z.strictObject({
      depth: z.number().default(1),
      most: z.number().default(1),
      fails: z.boolean().default(false),
    }),
    prepares: {
      name: 'counted',
      options: ['depth', 'fails'],
      async make(chunks, models, { depth, fails }) {
        log.push(`made at depth ${depth}`)
        await models.embed(
          chunks.map(({ text }) => text),
          'document',
        )
        if (fails) throw new Error('no part')
        return chunks.slice(0, depth)
      },
    },
    index: async (_chunks, _models, { most }, setup = []) => ({
      retrieve: async () => passagesOf(setup.slice(0, most)),
    }),
  })

test.each([1, 16])('a part is built once and counted for every row (concurrency %i)', async (concurrency) => {
  const log: string[] = []
  const use = countingInto(log)
  const lines = await linesWith(
    [
      { use, label: 'a' },
      { use, label: 'b', most: 2 },
      { use, label: 'c', most: 3 },
      { use, label: 'd', depth: 2 },
      { use, label: 'e', fails: true },
      { use, label: 'f', fails: true, most: 2 },
    ],
    { concurrency },
  )
  expect(log.sort()).toEqual(['made at depth 1', 'made at depth 1', 'made at depth 2'])
  const indexes = lines.filter((line) => line.line === 'index')
  expect(new Set(indexes.map(({ usage }) => JSON.stringify(usage))).size).toBe(1)
  expect(indexes[0]?.usage.embeddedTokens).toBeGreaterThan(0)
  expect(indexes.map(({ failure }) => failure?.message)).toEqual([
    ...Array(4).fill(undefined),
    expect.stringContaining('no part'),
    expect.stringContaining('no part'),
  ] as unknown[])
})

/** Draws random numbers for its part, its index, both or neither, and says in `log` what it made. */
const drawingInto = (log: string[]) =>
  defineMethod({
    name: 'drawing',
    version: 1,
    summary: 'Draws random numbers.',
    options: z.strictObject({ part: z.boolean(), index: z.boolean(), most: z.number().default(1) }),
    prepares: {
      name: 'drawn',
      options: ['part'],
      async make(_chunks, models, { part }) {
        const drawn = part ? Math.floor(models.random() * 1000) : 0
        log.push(`part ${drawn}`)
        return drawn
      },
    },
    async index(_chunks, models, { index }, drawn = -1) {
      log.push('index')
      const ownRun = index ? Math.floor(models.random() * 1000) : 0
      return { retrieve: async () => [], stats: () => ({ drawn, own: ownRun }) }
    },
  })

test.each([
  ['neither uses randomness', { part: false, index: false }, 1, 1],
  ['the part uses randomness', { part: true, index: false }, 3, 3],
  ['the index draws', { part: false, index: true }, 1, 3],
  ['both draw', { part: true, index: true }, 3, 3],
])('with repeats, where %s', async (_name, options, parts, indexes) => {
  const runOf = async (labels: readonly number[], concurrency: number) => {
    const log: string[] = []
    const use = drawingInto(log)
    const methods = labels.map((most) => ({ use, label: String(most), ...options, most }))
    return { lines: await linesWith(methods, { repeats: 3, concurrency }), log }
  }
  const together = await runOf([1, 2], 16)
  const made = together.log.filter((line) => line.startsWith('part'))
  expect(made).toHaveLength(parts)
  expect(new Set(made).size).toBe(parts)
  expect(together.log.filter((line) => line === 'index')).toHaveLength(2 * indexes)
  // the same lines as alone, and for both rows the same part in a repeat
  const alone = [await runOf([1], 1), await runOf([2], 1)]
  expect(together.lines).toEqual(alone.flatMap(({ lines }) => lines))
  const drawn = together.lines.flatMap((line) => (line.line === 'index' ? [line.stats?.['drawn']] : []))
  expect(drawn.slice(indexes)).toEqual(drawn.slice(0, indexes))
})
