import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mulberry32, seedFrom } from '../../../math/random.ts'
import { cli, gembenchProcessWith } from '../../../test-support/cli.ts'
import {
  startPglite,
  startPostgres,
  withoutPostgres,
  type TestPostgres,
} from '../../../test-support/servers/postgres.ts'
import { fakeServer } from '../../../test-support/servers/server.ts'
import { tinyProject } from '../../../test-support/tiny.ts'
import { fakeModels } from '../../../testing/fake-models.ts'
import { vectorRows } from '../vector-rows.ts'
import { connectDatabase } from './database.ts'
import { pgvectorRows } from './vectors.ts'

if (withoutPostgres !== undefined)
  process.stderr.write(`pgvector.long.test.ts: a real PostgreSQL is skipped: ${withoutPostgres}\n`)

/** Vectors of seven numbers, in which scores are often equal, or of more. */
const modelsOf = (columns = 7) => ({
  ...fakeModels(),
  embed: async (texts: readonly string[]) =>
    texts.map((text) => {
      const random = mulberry32(seedFrom(text))
      return Float32Array.from({ length: columns }, () =>
        columns === 7 ? Math.floor(4 * random()) - 1.5 : random() - 0.5,
      )
    }),
})
const models = modelsOf()
const textsOf = (count: number, name = 'text'): readonly string[] =>
  Array.from({ length: count }, (_, row) => `${name} ${row % 250}`)
const questions = await models.embed(['a', 'b', 'c'])

let postgres: TestPostgres
beforeAll(async () => {
  postgres = await startPglite()
})
afterAll(() => postgres.stop())

const store = (more: object = {}) => ({
  url: postgres.url,
  search: 'exact' as const,
  ef: 100,
  sample: 1,
  ...more,
})

/** The rows of a statement in the database. */
async function asked(text: string, url = postgres.url): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<unknown[]>({ text, rowMode: 'array' })).rows.flat()
  } finally {
    await client.end()
  }
}

async function expectExact(url: string): Promise<void> {
  for (const [texts, one] of [
    [textsOf(300), models],
    [textsOf(60), modelsOf(384)],
  ] as const) {
    const [inMemory, inDatabase] = [await vectorRows(texts, one), await pgvectorRows(texts, one, store({ url }))]
    expect(inDatabase).toMatchObject({ rows: inMemory.rows, columns: inMemory.columns })
    for (const query of await one.embed(['a', 'b', 'c']))
      for (const k of [1, 10, 290, Infinity])
        expect(await inDatabase.search(query, k)).toEqual(await inMemory.search(query, k))
    await inDatabase.close()
  }
}

async function expectRecall(url: string): Promise<void> {
  const texts = textsOf(300)
  const inMemory = await vectorRows(texts, models)
  const indexed = await pgvectorRows(texts, models, store({ url, search: 'hnsw' }))
  expect(indexed.engine).toMatch(/^PostgreSQL \d+\.\d+, pgvector \d+\.\d+\.\d+, HNSW index, ef at least 100$/)
  for (const [place, query] of questions.entries()) {
    const found = await indexed.search(query, 50)
    expect(found).toHaveLength(50)
    const least = (await inMemory.search(query, 50)).at(-1)?.score ?? NaN
    const expected = found.filter(({ score }) => score >= least).length
    expect(await indexed.recall(`${place}`, query, found, 50)).toEqual([expected, 50])
    // of a worse ranking it tells so
    expect(await indexed.recall(`${place}`, query, found.slice(0, 3), 50)).toEqual([3, 50])
  }
  await indexed.close()
}

const itemOf = <T>([first]: readonly T[]): T => {
  if (first === undefined) throw new Error('there is none')
  return first
}

test('finds the same as an exact search in memory, with equal scores and order', () => expectExact(postgres.url))

test('measures recall against the exact ranking', () => expectRecall(postgres.url))

describe.skipIf(withoutPostgres !== undefined)('with a real PostgreSQL', () => {
  test('searches exactly, measures recall, and survives two concurrent loads', async () => {
    const real = await startPostgres()
    await expectExact(real.url)
    await expectRecall(real.url)
    const texts = textsOf(3000, 'two')
    const both = await Promise.all(
      [1, 2].map(() => pgvectorRows(texts, models, store({ url: real.url, search: 'hnsw' }))),
    )
    for (const one of both) await one.close()
    expect(await tables(real.url)).toHaveLength(2 * 3)
    await real.stop()
  })
})

test('also searches sampled questions exactly, chosen by their text', async () => {
  const none = await pgvectorRows(textsOf(9), models, store({ search: 'hnsw', sample: 0 }))
  expect(await none.recall('a', itemOf(questions), [], 3)).toBeUndefined()
  await none.close()
  const half = await pgvectorRows(textsOf(9), models, store({ search: 'hnsw', sample: 0.5 }))
  const said = await Promise.all(
    Array.from({ length: 100 }, (_, at) => half.recall(`question ${at}`, itemOf(questions), [], 3)),
  )
  expect(said.filter((one) => one !== undefined).length).toBeGreaterThan(30)
  expect(said.filter((one) => one === undefined).length).toBeGreaterThan(30)
  await half.close()
})

/** The tables of corpora, with the number that PostgreSQL gave each when it was made. */
const tables = (url = postgres.url) =>
  asked(`SELECT relname::text, oid::int FROM pg_class WHERE relname ~ '^gembench_[0-9a-f]{24}$' ORDER BY oid`, url)

test('loads a corpus once, and again after a loss', async () => {
  const load = async () => (await pgvectorRows(textsOf(30, 'once'), models, store())).close()
  const others = await tables()
  await load()
  const once = (await tables()).slice(others.length)
  expect(once).toHaveLength(2)
  await load()
  expect((await tables()).slice(others.length)).toEqual(once)
  await asked(`DROP TABLE ${String(once[0])}`)
  await load()
  expect((await tables()).slice(others.length)).toContain(once[0])
})

test('leaves nothing behind after an interrupted load, and repeats it', async () => {
  const before = await tables()
  let parts = 0
  const signal = Object.assign(new AbortController().signal, {
    throwIfAborted: () => {
      if (++parts > 2) throw new Error('ended half way')
    },
  })
  const texts = textsOf(4000, 'half')
  await expect(pgvectorRows(texts, { ...models, signal }, store())).rejects.toThrow('ended half way')
  expect(await tables()).toEqual(before)
  const whole = await pgvectorRows(texts, models, store())
  expect(await whole.search(itemOf(questions), 20)).toEqual(
    await (await vectorRows(texts, models)).search(itemOf(questions), 20),
  )
  await whole.close()
})

async function expectLine(work: Promise<unknown>, line: RegExp): Promise<void> {
  const error = await work.catch((failure: unknown) => failure)
  expect(error).toMatchObject({ name: 'UserError', message: expect.stringMatching(line) as string })
  expect(String(error)).not.toContain('\n')
}

test('reports a database error in one line', async () => {
  await expectLine(connectDatabase('postgresql://ann:hush@127.0.0.1:1/db'), /^PostgreSQL at 127.0.0.1:1\/db: .*REFUSED/)
  await expectLine(connectDatabase('postgresql://ann:hush@127.0.0.1:x/db'), /address .* such as postgresql:/)
  const broken = await pgvectorRows(textsOf(3, 'broken'), models, store())
  await asked(`ALTER TABLE ${String((await tables()).at(-2))} RENAME COLUMN id TO other`)
  await expectLine(
    broken.search(itemOf(questions), 1),
    /^PostgreSQL at .*: column "id" does not exist; mend this and run again/,
  )
  await broken.close()
  const wide = pgvectorRows(textsOf(3), modelsOf(2001), store({ search: 'hnsw' }))
  await expectLine(wide, /up to 2000 numbers, .* have 2001: set search: exact/)
  const many = await pgvectorRows(textsOf(1001), models, store({ search: 'hnsw' }))
  await expectLine(many.search(itemOf(questions), 1001), /up to 1000 passages, and 1001 .*: set search: exact/)
  await many.close()
  const bare = await startPglite({ hasVector: false })
  await expectLine(connectDatabase(bare.url), /^PostgreSQL at .* has no pgvector: install it on the server /)
  await bare.stop()
})

test('reports a lost connection in one line', async () => {
  const server = await startPglite()
  const database = await connectDatabase(server.url)
  await server.stop()
  const query = database.transaction('', (client) => client.query('SELECT 1'))
  await expectLine(query, /^PostgreSQL at .*: .+; mend this and run again: finished work is kept$/)
  await database.close()
})

const files = ['trials.jsonl', 'passages.jsonl', 'scores.jsonl', 'table.md', 'table.csv', 'table.tex', 'manifest.json']
const textsIn = async (project: string, results: string): Promise<readonly string[]> => {
  const [folder = ''] = await readdir(join(project, results))
  return Promise.all(files.map((name) => readFile(join(project, results, folder, name), 'utf8')))
}

test('gives a killed and resumed run the bytes of an undisturbed one, without the password in any file', async () => {
  let [answers, isHeld] = [0, true]
  const server = await fakeServer({
    behave: (hit) =>
      JSON.stringify(hit.body).includes('Reply with: OK') || !isHeld || ++answers < 4 ? undefined : { broken: 'hang' },
  })
  const pgvector = { use: 'pgvector', url: '${DATABASE_URL}', sample: 1 }
  const project = await tinyProject({
    models: { complete: { use: 'openai', model: 'm', baseUrl: server.url, concurrency: 4 }, embed: 'fake' },
    methods: [
      { use: 'vector', label: 'hnsw', store: pgvector },
      { use: 'vector', label: 'exact', store: { ...pgvector, search: 'exact' } },
      { use: 'hybrid', of: ['bm25', { use: 'vector', store: pgvector }] },
    ],
    chunks: { size: 20 },
  })
  const url = postgres.url.replace('postgres:postgres@', 'postgres:s3cretpw@')
  const flags = ['run', '-c', 'tiny.yaml', '--cache-folder', 'cache', '--full']
  const env = { ...process.env, DATABASE_URL: url }
  const child = spawn(process.execPath, [cli, ...flags], { cwd: project, stdio: 'ignore', detached: true, env })
  const gone = once(child, 'exit')
  while (answers < 4 && child.exitCode === null) await sleep(10)
  process.kill(-(child.pid ?? NaN), 'SIGKILL')
  await gone
  isHeld = false
  const run = gembenchProcessWith({ DATABASE_URL: url })
  const resumed = await run(project, ...flags)
  expect(resumed.out).toMatch(/[1-9]\d* earlier/)
  expect(resumed.out).toMatch(
    /Vectors in a database: hnsw in PostgreSQL [\d.]+, pgvector [\d.]+, HNSW index, ef at least 100, recall of an exact search 100\.0 % \(3 of 3 questions\), exact in PostgreSQL [\d.]+, pgvector [\d.]+, exact search, hybrid in/,
  )
  const undisturbed = await run(project, ...flags, '--results', 'whole')
  const [ours, theirs] = [await textsIn(project, 'results'), await textsIn(project, 'whole')]
  expect(ours.slice(0, -1)).toEqual(theirs.slice(0, -1))
  for (const text of [...ours, resumed.out, resumed.err, undisturbed.err]) expect(text).not.toContain('s3cretpw')
  await server.close()
  await rm(project, { recursive: true })
})
