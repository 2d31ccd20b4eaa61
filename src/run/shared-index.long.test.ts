import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sample } from '../datasets/sample/sample.ts'
import { bm25 as sampleMethod } from '../methods/bm25.ts'
import { createMeter, type OpenedModels } from '../models/index.ts'
import { tinyPlan, tinyProject, tinySettings } from '../test-support/tiny.ts'
import type { IndexLine, TrialLine } from '../records.ts'
import { fakeModels } from '../testing/fake-models.ts'
import type { ChunkedCorpus } from './asking/chunk-corpus.ts'
import { sharedParts } from './asking/build-index.ts'
import { methodEntriesOf } from './prepare/method-entries.ts'
import { openResults } from './results/open-results.ts'
import { run } from './run.ts'

const linesOf = async (
  methods: readonly unknown[],
  set: readonly string[] = [],
): Promise<(IndexLine | TrialLine)[]> => {
  const project = await tinyProject({ methods })
  const { folder } = await run(await tinyPlan(project, set), tinySettings(project))
  const lines: (IndexLine | TrialLine)[] = []
  for await (const line of (await openResults(folder, '')).trials()) lines.push(line)
  return lines
}

const rows = [
  'unweaver',
  'unweaver-ppr',
  { use: 'hipporag2', label: 'a' },
  { use: 'hipporag2', label: 'b', damping: 0.3, filter: 'none', linkingTopK: 1 },
  { use: 'hipporag2', label: 'c', synonymThreshold: 0.5 },
  'hipporag',
  { use: 'hipporag', label: 'letters of all scripts', normalise: 'unicode' },
]

test('rows that make a part of their index alike give the lines that they would give alone', async () => {
  const together = await linesOf(rows)
  const alone = await Promise.all(rows.map((row) => linesOf([row])))
  expect(together).toEqual(alone.flat())
  const costs = together.flatMap((line) => (line.line === 'index' ? [line.usage.calls] : []))
  expect(costs).toHaveLength(rows.length)
  expect(Math.min(...costs)).toBeGreaterThan(0)
})

test('rows are alike where all options are equal that the part depends on', async () => {
  const plan = await tinyPlan(await tinyProject({ methods: [...rows, 'vector'] }))
  const entries = await methodEntriesOf(plan, sample, { questions: 3, withoutEvidence: 0 })
  const [weaver, walker, a, b, c, one, letters, vector] = entries.map(({ part }) => part)
  expect(walker).toBe(weaver)
  expect(b).toBe(a)
  expect(new Set([weaver, a, c, one, letters]).size).toBe(5)
  expect(vector).toBeUndefined()
})

const counting = `import { appendFileSync } from 'node:fs'
  import { join } from 'node:path'
  import { defineMethod, z } from 'gembench'
  export const counting = defineMethod({
    name: 'counting', summary: 'counts.',
    options: z.strictObject({ log: z.string(), depth: z.number().default(1), most: z.number().default(1), fails: z.boolean().default(false) }),
    prepares: {
      name: 'counted', options: ['depth', 'fails'],
      async make(chunks, models, { log, depth, fails }) {
        appendFileSync(log, 'made at depth ' + depth + '\\n')
        await models.embed(chunks.map(({ text }) => text))
        if (fails) throw new Error('no part')
        return { chunks: chunks.slice(0, depth) }
      },
    },
    costs: () => 'unknown',
    async index(chunks, models, { most }, prepared) {
      return { retrieve: async () => prepared.chunks.slice(0, most).map(({ id, text }) => ({ text, from: [id], kind: 'chunk', score: 1 })) }
    },
  })`

test.each(['concurrency=1', 'concurrency=16'])('a part is made once, and paid for by every row (%s)', async (set) => {
  const project = await tinyProject()
  const [file, log] = [join(project, 'counting.ts'), join(project, 'log')]
  await writeFile(file, counting)
  const row = (label: string, options: object) => ({ use: file, label, log, ...options })
  const lines = await linesOf(
    [
      row('a', {}),
      row('b', { most: 2 }),
      row('c', { most: 3 }),
      row('d', { depth: 2 }),
      row('e', { fails: true }),
      row('f', { fails: true, most: 2 }),
    ],
    [set],
  )
  expect((await readFile(log, 'utf8')).trim().split('\n').sort()).toEqual([
    'made at depth 1',
    'made at depth 1',
    'made at depth 2',
  ])
  const indexes = lines.filter((line): line is IndexLine => line.line === 'index')
  expect(new Set(indexes.map(({ usage }) => JSON.stringify(usage))).size).toBe(1)
  expect(indexes[0]?.usage.embeddedTokens).toBeGreaterThan(0)
  expect(indexes.map(({ failure }) => failure?.message)).toEqual([
    ...Array(4).fill(undefined),
    expect.stringMatching(/^no part \(counting\.ts:\d+:\d+\)$/),
    expect.stringMatching(/^no part \(counting\.ts:\d+:\d+\)$/),
  ] as unknown[])
})

const drawing = `import { appendFileSync } from 'node:fs'
  import { defineMethod, z } from 'gembench'
  const note = (text) => appendFileSync(new URL('log', import.meta.url), text + '\\n')
  export const drawing = defineMethod({
    name: 'drawing', summary: 'draws.',
    options: z.strictObject({ part: z.boolean(), index: z.boolean(), most: z.number().default(1) }),
    prepares: {
      name: 'drawn', options: ['part'],
      async make(chunks, models, { part }) {
        const drawn = part ? Math.floor(models.random() * 1000) : 0
        note('part ' + drawn)
        return drawn
      },
    },
    costs: () => 'unknown',
    async index(chunks, models, { index, most }, drawn) {
      note('index')
      const own = index ? Math.floor(models.random() * 1000) : 0
      return { retrieve: async () => [], stats: () => ({ drawn, own }) }
    },
  })`

test.each([
  ['neither draws', { part: false, index: false }, 1, 1],
  ['the part draws', { part: true, index: false }, 3, 3],
  ['the index draws', { part: false, index: true }, 1, 3],
  ['both draw', { part: true, index: true }, 3, 3],
])('with repeats, where %s', async (_who, options, parts, indexes) => {
  const rows = [1, 2].map((most) => ({ use: './drawing.ts', label: String(most), ...options, most }))
  const runOf = async (methods: readonly unknown[], set: readonly string[]) => {
    const project = await tinyProject({ methods, repeats: 3 })
    await writeFile(join(project, 'drawing.ts'), drawing)
    const { folder } = await run(await tinyPlan(project, set), tinySettings(project))
    const lines: (IndexLine | TrialLine)[] = []
    for await (const line of (await openResults(folder, '')).trials()) lines.push(line)
    return { lines, log: (await readFile(join(project, 'log'), 'utf8')).trim().split('\n') }
  }
  const together = await runOf(rows, ['concurrency=16'])
  const made = together.log.filter((line) => line.startsWith('part'))
  expect(made).toHaveLength(parts)
  expect(new Set(made).size).toBe(parts)
  expect(together.log.filter((line) => line === 'index')).toHaveLength(2 * indexes)
  // the same lines as alone, and for both rows the same part in a repeat
  const alone = await Promise.all(rows.map((row) => runOf([row], ['concurrency=1'])))
  expect(together.lines).toEqual(alone.flatMap(({ lines }) => lines))
  const drawn = together.lines.flatMap((line) => (line.line === 'index' ? [line.stats?.['drawn']] : []))
  expect(drawn.slice(indexes)).toEqual(drawn.slice(0, indexes))
})

test('a part is made anew only when every row has let it go', async () => {
  let made = 0
  const method = { ...sampleMethod, prepares: { name: 'p', options: [], make: async () => ++made } }
  const entry = (id: string) => ({ id, part: 'p', method, options: {} })
  const [a, b] = [entry('a'), entry('b')]
  const parts = sharedParts([a, b])
  const models = fakeModels()
  const limits = { indexSeconds: 1, retrieveSeconds: 1, scoreSeconds: 1 }
  const opened = { scope: () => models, sent: { shown: () => undefined, unshown: () => 0 } }
  const conditions = { seed: 42, limits, models: opened as unknown as OpenedModels }
  const chunked = { corpus: { id: 'c' }, chunks: [] } as unknown as ChunkedCorpus
  const take = () => parts.take(a, 0, chunked, conditions, createMeter())
  expect([await take(), await take()]).toEqual([1, 1])
  parts.release(a)
  parts.release(a)
  expect(await take()).toBe(1)
  parts.release(b)
  expect(await take()).toBe(2)
})
