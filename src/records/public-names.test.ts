import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { writeTables } from '../library/write-tables.ts'
import { run } from '../run/run.ts'
import { tinyPlan, tinyProject, tinySettings } from '../test-support/tiny.ts'

// Scripts of users read these fields: they keep their names and kinds whatever else the files hold.
let folder: string

beforeAll(async () => {
  const project = await tinyProject()
  folder = (await run(await tinyPlan(project), tinySettings(project))).folder
  await writeTables(folder)
})

const json = async (name: string): Promise<unknown> => JSON.parse(await readFile(join(folder, name), 'utf8'))

const jsonLines = async (name: string): Promise<unknown[]> =>
  (await readFile(join(folder, name), 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)

const text = z.string().min(1)
const row = { method: text, variant: z.string() }
const passage = z.object({ tokens: z.int().positive(), from: z.array(text).min(1) })
const reference = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('choice'), options: z.array(text).min(2), correct: z.int() }),
  z.object({ kind: z.literal('answer'), accepted: z.array(z.object({ text })) }),
])
const trial = z.object({
  line: z.literal('trial'),
  id: text,
  ...row,
  question: z.object({ id: text, text, reference }),
  context: z.array(passage),
  answer: z.object({ text, choice: z.int().nullable().optional() }).optional(),
  failure: z.object({ kind: text, message: text }).optional(),
})

test('lines of trials.jsonl have the public fields of an index or a trial', async () => {
  const lines = z
    .array(z.discriminatedUnion('line', [trial, z.object({ line: z.literal('index'), id: text, ...row })]))
    .parse(await jsonLines('trials.jsonl'))
  const trials = lines.flatMap((line) => (line.line === 'trial' ? [line] : []))
  expect(trials).toHaveLength(18)
  expect(trials.some(({ context }) => context.length > 0)).toBe(true)
  expect(trials.some(({ answer }) => typeof answer?.choice === 'number')).toBe(true)
  expect(trials.every(({ answer, failure }) => (answer === undefined) !== (failure === undefined))).toBe(true)
})

test('the text of every passage of a context is in passages.jsonl', async () => {
  const texts = z.array(z.object({ digest: text, text })).parse(await jsonLines('passages.jsonl'))
  const digests = new Set(texts.map(({ digest }) => digest))
  const lines = await jsonLines('trials.jsonl')
  const contexts = z.array(z.object({ context: z.array(z.object({ digest: text })).default([]) })).parse(lines)
  expect(contexts.flatMap(({ context }) => context).every(({ digest }) => digests.has(digest))).toBe(true)
})

test('lines of scores.jsonl have a question, a scorer and numbers by metric', async () => {
  const score = z.object({ question: text, scorer: text, metrics: z.record(text, z.number()).optional() })
  const scores = z.array(score).parse(await jsonLines('scores.jsonl'))
  expect(scores.filter(({ metrics }) => metrics !== undefined).length).toBeGreaterThan(18)
})

test('manifest.json has the checksums of the files', async () => {
  const { checksums } = z.object({ checksums: z.record(text, z.hex().length(64)) }).parse(await json('manifest.json'))
  expect(Object.keys(checksums).sort()).toEqual(['manifest', 'meter', 'passages', 'scores', 'trials'])
})

test('table.json has the cells, usage and notes of the run', async () => {
  const cell = z.object({
    ...row,
    scorer: text,
    metric: text,
    subset: z.string().nullable(),
    mean: z.number().nullable(),
    n: z.int(),
    failed: z.int(),
  })
  const table = z.object({ cells: z.array(cell), usage: z.array(z.object(row)).min(1), notes: z.array(text) })
  const { cells } = table.parse(await json('table.json'))
  expect(cells.some(({ mean, n }) => mean !== null && n > 0)).toBe(true)
})
