import { setTimeout as sleep } from 'node:timers/promises'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineDataset, defineMethod } from '../../define.ts'
import { run } from '../../library/run.ts'
import { readResults } from '../../test-support/read-results.ts'
import { tinyProject } from '../../test-support/tiny.ts'
import type { Corpus } from '../../types.ts'

/** A dataset of corpora with two questions each, which counts how often it is opened. */
function countingDataset(corpora: number) {
  const counter = { openings: 0 }
  const dataset = defineDataset({
    name: 'counting',
    version: 1,
    summary: 'Counts its openings.',
    source: 'none',
    licence: 'none',
    options: z.strictObject({}),
    evidence: false,
    files: async () => [],
    async *corpora(): AsyncGenerator<Corpus> {
      counter.openings++
      for (let n = 0; n < corpora; n++)
        yield {
          id: `corpus ${n}`,
          documents: [{ id: `document ${n}`, text: `Thing ${n} weighs ${n} grams.` }],
          questions: ['a', 'b'].map((name) => ({
            id: `${n}-${name}`,
            text: `What does thing ${n} weigh?`,
            reference: { kind: 'answer', accepted: [{ text: `${n} grams` }] },
          })),
        }
    },
  })
  return { dataset, counter }
}

const models = { complete: 'extractive', embed: 'fake' } as const

test('a run reads its dataset twice, whether it is new, continues or is complete', async () => {
  const cwd = await tinyProject()
  const { dataset, counter } = countingDataset(3)
  const config = {
    name: 'mine',
    dataset: { use: dataset, limit: 4 },
    models,
    methods: ['bm25', 'random'],
    repeats: 2,
  } as const
  const openings = async (change: object): Promise<number> => {
    counter.openings = 0
    await run({ ...config, ...change }, { cwd })
    return counter.openings
  }
  expect(await openings({})).toBe(2)
  expect(await openings({ dataset, repeats: 3 })).toBe(2)
  expect(await openings({ dataset, repeats: 3 })).toBe(2)
  // also one that looks for a chunk that fits the budget, and each run of a series
  expect(await openings({ chunks: { by: 'none' }, budget: { tokens: 1 } })).toBe(2)
  expect(await openings({ vary: { seed: [1, 2] } })).toBe(3)
})

test('lines are in the order of the dataset, rows and repeats, whichever trial ends first', async () => {
  const cwd = await tinyProject()
  const { dataset } = countingDataset(4)
  const config = { name: 'mine', dataset, models, methods: ['random', 'bm25'], repeats: 2 } as const
  await run({ ...config, methods: ['bm25'], dataset: { use: dataset, limit: 3 } }, { cwd })
  const { folder } = await run(config, { cwd })
  const full = await run(config, { cwd, results: 'whole' })
  const text = (of: string): Promise<string> => readFile(join(of, 'trials.jsonl'), 'utf8')
  expect(await text(folder)).toBe(await text(full.folder))
  const { lines } = await readResults(folder)
  expect(lines.slice(0, 6).map(({ line, method, repeat }) => [line, method, repeat])).toEqual([
    ['index', 'random', undefined],
    ['trial', 'random', 0],
    ['trial', 'random', 0],
    ['trial', 'random', 1],
    ['trial', 'random', 1],
    ['index', 'bm25', undefined],
  ])
})

/** A method whose indexes note when they are built, asked and closed; `stochastic`: they use random numbers. */
function notingMethod(log: string[]) {
  return defineMethod({
    name: 'noting',
    version: 1,
    summary: 'Notes what is done with it.',
    options: z.strictObject({ stochastic: z.boolean().default(false) }),
    async index([chunk], overrides, { stochastic }) {
      if (stochastic) overrides.random()
      await sleep(2)
      const name = chunk?.documentId ?? ''
      log.push(`built ${name}`)
      return {
        async retrieve() {
          log.push(`asked ${name}`)
          return []
        },
        async close() {
          log.push(`closed ${name}`)
        },
      }
    },
  })
}

test('an index is closed once, after the last question that needs it', async () => {
  const logOf = async (stochastic: boolean): Promise<readonly string[]> => {
    const log: string[] = []
    const methods = [{ use: notingMethod(log), stochastic }]
    await run(
      { name: 'mine', dataset: countingDataset(1).dataset, models, methods, repeats: 2 },
      { cwd: await tinyProject() },
    )
    return log
  }
  const name = 'document 0'
  const request = Array<string>(4).fill(`asked ${name}`)
  expect(await logOf(false)).toEqual([`built ${name}`, ...request, `closed ${name}`])
  const log = await logOf(true)
  expect([...log].sort()).toEqual(
    [...request, ...Array<string>(2).fill(`built ${name}`), ...Array<string>(2).fill(`closed ${name}`)].sort(),
  )
})

test('the index of the next row is built while questions of the one before it wait', async () => {
  const log: string[] = []
  const waiting = defineMethod({
    name: 'waiting',
    version: 1,
    summary: 'Answers once the last index is built.',
    options: z.strictObject({ as: z.string() }),
    async index(_chunks, _models, { as }) {
      log.push(as)
      return {
        async retrieve() {
          while (!log.includes('b')) await sleep(1)
          return []
        },
      }
    },
  })
  const methods = ['a', 'b'].map((as) => ({ use: waiting, label: as, as }))
  await run({ name: 'mine', dataset: countingDataset(1).dataset, models, methods }, { cwd: await tinyProject() })
  expect(log).toEqual(['a', 'b'])
})

test('a stopped run ends the question under way and begins no other one', async () => {
  const cwd = await tinyProject()
  const stop = new AbortController()
  const request: string[] = []
  const slow = defineMethod({
    name: 'slow',
    version: 1,
    summary: 'Stops the run while it is asked.',
    options: z.strictObject({}),
    index: async () => ({
      async retrieve({ id }) {
        request.push(id)
        if (request.length === 2) stop.abort()
        await sleep(20)
        return []
      },
    }),
  })
  const config = { name: 'mine', dataset: countingDataset(3).dataset, models, methods: [slow], concurrency: 1 }
  await expect(run(config, { cwd, signal: stop.signal })).rejects.toThrow(/abort/i)
  expect(request).toHaveLength(2)
  await run(config, { cwd })
  expect(request.sort()).toEqual(['0-a', '0-b', '1-a', '1-b', '2-a', '2-b'])
})
