import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { IndexLine, TrialLine } from '../../records.ts'
import { gembenchProcess } from '../../test-support/cli.ts'
import { ran } from '../../test-support/run-cli.ts'

const ownFiles = `import { defineMethod, z } from 'gembench'
export const mine = defineMethod({
  name: 'mine', summary: 'The first chunks.', options: z.strictObject({ count: z.number().default(2) }),
  async index(chunks, models, { count }) {
    await models.embed(['index of ' + count])
    return {
      retrieve: async () => chunks.slice(0, count).map(({ id, text }) => ({ text, score: 1, from: [id], kind: 'chunk' })),
    }
  },
})
`

/** The same as a program. */
const program = `import { createInterface } from 'node:readline'
let chunks
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, index } = JSON.parse(line)
  if (index) ({ chunks } = index)
  console.log(JSON.stringify(index ? { id } : { id, passages: chunks.slice(-2).map(({ id }) => ({ chunk: id })) }))
})
`

const files = { 'mine.mjs': ownFiles, 'last.mjs': program }
const last = { use: 'command', run: ['node', 'last.mjs'] }

test('a hybrid searches with plug-in files and programs, and its run replays', async () => {
  const two = {
    use: 'hybrid',
    label: 'two',
    of: [{ use: './mine.mjs', count: 1 }, { use: './mine.mjs', count: 2 }, last],
  }
  const { trials, project, code, err } = await ran(files, { methods: [two, './mine.mjs'] })
  expect(code, err).toBe(0)
  const [first] = trials.filter(({ method }) => method === 'two')
  expect(Object.keys(first?.context[0]?.why ?? {})).toEqual(expect.arrayContaining(['rank in mine', 'rank in mine 2']))
  const cautious = await gembenchProcess(project, 'verify', await onlyFolder(project), '--cache-folder', 'cache')
  expect(cautious.out).toContain('the config names its dataset by a path; --trust')
  const trustedRun = await gembenchProcess(
    project,
    'verify',
    await onlyFolder(project),
    '--trust',
    '--cache-folder',
    'cache',
  )
  expect(trustedRun.out).toMatch(/retrieval: 6 of 6 trials unchanged/)
})

const isIndex = (line: IndexLine | TrialLine): line is IndexLine => line.line === 'index'

const onlyFolder = async (project: string): Promise<string> =>
  join('results', (await readdir(join(project, 'results')))[0] ?? '')

/** What a row of a file shares: `made` is written once for each part that is made. */
const preparing = (part: string): string => `import { appendFileSync } from 'node:fs'
import { defineMethod, z } from 'gembench'
export const mine = defineMethod({
  name: 'mine', summary: 'The first chunks.',
  options: z.strictObject({ size: z.number().default(1), count: z.number().default(1) }),
  prepares: {
    name: 'part of mine', options: ['size'],
    async make(chunks, models, { size }) {
      appendFileSync('made', 'size ' + size + '\\n')
      await models.embed(['part ' + size])
      return ${part}
    },
  },
  async index(chunks, models, { count }, prepared) {
    const known = prepared.get('chunks')
    return { retrieve: async () => chunks.filter(({ id }) => known.has(id)).slice(0, count).map(({ id, text }) => ({ text, score: 1, from: [id], kind: 'chunk' })) }
  },
})
`

const rows = [
  { use: './mine.mjs', label: 'a' },
  { use: './mine.mjs', label: 'b', count: 2 },
  { use: './mine.mjs', label: 'c', size: 2 },
]

test('rows of a plug-in share a part that is built once and counted for each row', async () => {
  const text = preparing(`new Map([['chunks', new Set(chunks.map(({ id }) => id))], ['vector', new Float32Array(2)]])`)
  const { trials, project, code, err } = await ran({ 'mine.mjs': text }, { methods: rows })
  expect(code, err).toBe(0)
  expect(await readFile(join(project, 'made'), 'utf8')).toBe('size 1\nsize 2\n')
  expect(trials.map(({ method, context }) => `${method}${context.length}`)).toEqual([
    ...['a1', 'a1', 'a1', 'b2', 'b2', 'b2', 'c1', 'c1', 'c1'],
  ])
  const lines = (await readFile(join(project, await onlyFolder(project), 'trials.jsonl'), 'utf8')).trim().split('\n')
  const indexes = lines.map((line) => JSON.parse(line) as IndexLine | TrialLine).filter(isIndex)
  expect(indexes.map(({ usage }) => usage.calls)).toEqual([1, 1, 1])
})

test('a plug-in calls the rerank model as a built-in method does; the calls are counted, and verify replays them', async () => {
  const rerankMethod = `import { defineMethod, z } from 'gembench'
export const mine = defineMethod({
  name: 'mine', summary: 'All chunks by the rerank model.', options: z.strictObject({}),
  index: async (chunks) => ({
    retrieve: async ({ text }, { passages }, models) => {
      const scores = await models.rerank(text, chunks.map((chunk) => chunk.text))
      return chunks
        .map(({ id, text }, at) => ({ text, score: scores[at].score, from: [id], kind: 'chunk' }))
        .sort((a, b) => b.score - a.score)
        .slice(0, passages)
    },
  }),
})
`
  const models = { complete: 'extractive', embed: 'fake', rerank: 'fake' }
  const methods = [{ use: 'rerank', of: 'bm25', by: 'model' }, './mine.mjs']
  const { trials, project, code, err } = await ran({ 'mine.mjs': rerankMethod }, { models, methods })
  expect(code, err).toBe(0)
  const of = (row: string) => trials.filter(({ method }) => method === row)
  expect(of('mine').map(({ usage }) => usage.retrieve.calls)).toEqual([1, 1, 1])
  const relevances = of('rerank').map(({ context }) => context[0]?.why?.['relevance'])
  expect(relevances.every((item) => typeof item === 'number' && item > 0)).toBe(true)
  expect(of('mine').map(({ context }) => context[0]?.score)).toEqual(relevances)
  const verification = await gembenchProcess(
    ...([project, 'verify', await onlyFolder(project), '--cache-folder', 'cache', '--trust'] as const),
  )
  expect(verification.code, verification.out + verification.err).toBe(0)
})
