import { spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { cli, gembench, gembenchProcess, type CliEnded } from './test-support/cli.ts'
import { factsOf, factsOfAll, runsIn } from './test-support/golden-runs.ts'
import { startRedis, withoutRedis } from './test-support/servers/redis.ts'
import { fakeServer } from './test-support/servers/server.ts'
import { tinyProject } from './test-support/tiny.ts'
import { startWorker } from './test-support/worker.ts'

// Golden runs: whole runs through the command line, compared by figures and outcomes, never by sentences. They hold
// what a restructuring must not change. `npx vitest run --config .ci/vitest.config.ts src/golden-runs -u` records them
// again; say in the commit why a figure moved.

const repository = fileURLToPath(new URL('..', import.meta.url))
const config = (name: string): string => join(repository, 'configs', `${name}.yaml`)
const golden = (name: string): string => fileURLToPath(new URL(`test-support/golden-runs/${name}.txt`, import.meta.url))

// vectors of words: the last bits of a neural embedder differ between processors, and with them the trees of RAPTOR
const fakeEmbedder = ['--set', 'models.embed=fake']

const temporaryFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'gembench-golden-'))

async function succeed(ended: Promise<CliEnded>): Promise<CliEnded> {
  const { code, out, err } = await ended
  if (code !== 0) throw new Error(`exit code ${code}\n${out}\n${err}`)
  return { code, out, err }
}

/** Runs a config in a new folder and compares its facts with the golden file of this name. */
async function expectGolden(name: string, ...flags: readonly string[]): Promise<void> {
  const folder = await temporaryFolder()
  await succeed(gembench(folder, 'run', '--quiet', ...flags))
  await expect(await factsOfAll(join(folder, 'results'))).toMatchFileSnapshot(golden(name))
  await rm(folder, { recursive: true })
}

/** Runs a config that is given here on the documents and questions of the sample. */
async function expectGoldenConfig(name: string, content: Readonly<Record<string, unknown>>): Promise<void> {
  const folder = await temporaryFolder()
  await writeConfig(folder, content)
  await succeed(gembench(folder, 'run', '--quiet', '-c', 'golden.yaml'))
  await expect(await factsOfAll(join(folder, 'results'))).toMatchFileSnapshot(golden(name))
  await rm(folder, { recursive: true })
}

const writeConfig = (folder: string, content: Readonly<Record<string, unknown>>): Promise<void> =>
  writeFile(join(folder, 'golden.yaml'), JSON.stringify(Object.assign({}, sampleConfig, content)))

const sampleConfig = {
  name: 'golden',
  dataset: { use: 'sample', limit: 12 },
  chunks: { size: 100 },
  budget: { passages: 5, tokens: 500 },
  models: { complete: 'extractive', embed: 'fake' },
  scorers: ['accuracy', 'qasper-f1', 'retrieval'],
  methods: ['bm25', 'vector'],
}

describe('runs of shipped configs', () => {
  test('the quickstart', () => expectGolden('quickstart', '-c', config('quickstart'), '--limit', '40', ...fakeEmbedder))
  test('techniques of practice', () =>
    expectGolden('practice', '-c', config('practice'), '--limit', '20', ...fakeEmbedder))
  test('a conversation with a varied method', () =>
    expectGolden(
      'hlgraphrag-figure-5-1',
      '-c',
      config('hlgraphrag-figure-5-1-offline'),
      '--limit',
      '3',
      '--set',
      'repeats=2',
      ...fakeEmbedder,
    ))
  test('dense retrieval with the embedded MiniLM', () =>
    expectGolden('minilm', '-c', config('quickstart'), '--limit', '30', '--methods', 'vector,bm25,oracle'))
})

describe('tables of papers, offline', () => {
  test.each(['gem-rag-table-1', 'unweaver-table-1', 'gor-main', 'hipporag2-musique', 'hlgraphrag-figure-5-5'])(
    'reproduce %s',
    async (name) => {
      const folder = await temporaryFolder()
      const limit = name.startsWith('hlgraphrag') ? '2' : '6'
      const { out } = await succeed(gembench(folder, 'reproduce', name, '--offline', '--limit', limit, '--json'))
      expect(JSON.parse(out)).toBeTypeOf('object')
      // neural vectors: only what they cannot change
      const facts = await factsOfAll(join(folder, 'results'))
      const rows = facts.split('\n').flatMap((line) => /^(\S.*?: trials \d+ failed .*?) contexts/.exec(line)?.[1] ?? [])
      await expect(`${rows.join('\n')}\n`).toMatchFileSnapshot(golden(`reproduce-${name}`))
      await rm(folder, { recursive: true })
    },
  )
})

describe('runs of configs for every ability that stays', () => {
  test('graph methods and their variants', () =>
    expectGoldenConfig('graphs', {
      methods: [
        'graphrag',
        { use: 'graphrag', label: 'global', mode: 'global' },
        'hlgraphrag',
        'graph-of-records',
        'node2vec',
        'thought-r',
        { use: 'unweaver', label: 'no grounding', ungrounded: 'count' },
        { use: 'gem-rag', label: 'gem-rag, 3 components', components: 3 },
        { use: 'gem-rag', label: 'gem-rag-kmeans', clustering: 'kmeans' },
      ],
    }))
  test('small retrievers', () =>
    expectGoldenConfig('retrievers', {
      methods: [
        'tf-idf',
        'late-interaction',
        'late-chunking',
        'propositions',
        'summary-index',
        'contextual',
        { use: 'mmr', of: 'bm25' },
        { use: 'hybrid', of: ['tf-idf', 'vector'] },
        { use: 'rerank', of: 'bm25', by: 'pointwise', depth: 5 },
      ],
    }))
  test('scorers without a judge', () =>
    expectGoldenConfig('scorers', {
      dataset: { use: 'sample', options: { kinds: 'answer' }, limit: 12 },
      scorers: ['contains', 'squad', 'musique', 'qasper-f1', 'rouge', 'bert-score', 'failure-cause', 'retrieval'],
    }))
  test('scorers with the offline judge', () =>
    expectGoldenConfig('judges', {
      dataset: { use: 'sample', options: { kinds: 'answer' }, limit: 8 },
      judgeRuns: 2,
      scorers: [
        'correct',
        'factual-correctness',
        'faithfulness',
        'context-recall',
        'context-precision',
        'answer-relevancy',
        'ragchecker',
        'pairwise',
      ],
    }))
  test('summaries', () =>
    expectGoldenConfig('summaries', {
      dataset: { use: 'sample', options: { kinds: 'summary' } },
      scorers: ['rouge', 'summary-share'],
      methods: ['bm25', 'raptor'],
    }))
  test('repeats of a random method', () =>
    expectGoldenConfig('repeats', { methods: ['random', 'bm25'], repeats: 3, dataset: { use: 'sample', limit: 10 } }))
  test('a series over a budget', () =>
    expectGoldenConfig('series', { vary: { 'budget.passages': [1, 3] }, dataset: { use: 'sample', limit: 10 } }))
  test('options varied in the table', () =>
    expectGoldenConfig('varied', {
      methods: ['gem-rag', 'bm25'],
      vary: { 'gem-rag.components': [1, 4] },
    }))
  test('retrieval without answers', () => expectGoldenConfig('no-answers', { answers: 'none', scorers: ['retrieval'] }))
  test('other ways to chunk, with a budget of its own', () =>
    expectGoldenConfig('chunking', {
      chunks: { by: 'sentences', size: 60 },
      methods: ['parent', 'sentence-window', { use: 'bm25', label: 'wide', budget: { passages: 8, tokens: 900 } }],
    }))
})

describe('interrupted and repeated runs', () => {
  test('more questions continue a run that was limited, with the lines of one that was not', async () => {
    const folder = await temporaryFolder()
    await writeConfig(folder, {})
    await succeed(gembench(folder, 'run', '--quiet', '-c', 'golden.yaml', '--limit', '5'))
    await succeed(gembench(folder, 'run', '--quiet', '-c', 'golden.yaml'))
    await succeed(gembench(folder, 'run', '--quiet', '-c', 'golden.yaml', '--results', 'whole', '--no-cache'))
    expect(await lastOf(folder, 'results')).toEqual(await lastOf(folder, 'whole'))
    await rm(folder, { recursive: true })
  })

  test('a run that was killed continues, with the bytes of one that was not', async () => {
    let isHeld = true
    const server = await fakeServer({
      behave: (_, index) => (isHeld && index > 3 ? { broken: 'hang' } : undefined),
    })
    const complete = { use: 'openai', model: 'm', baseUrl: server.url, concurrency: 2 }
    const folder = await tinyProject({ models: { complete, embed: 'fake' }, methods: ['bm25', 'vector', 'oracle'] })
    const args = ['run', '--quiet', '-c', 'tiny.yaml', '--cache-folder', 'cache']
    const child = spawn(process.execPath, [cli, ...args], { cwd: folder, stdio: 'ignore', detached: true })
    const exit = new Promise((resolve) => child.on('exit', resolve))
    while (server.hits.length < 5 && child.exitCode === null) await sleep(10)
    process.kill(-(child.pid ?? NaN), 'SIGKILL')
    await exit
    isHeld = false
    await succeed(gembenchProcess(folder, ...args))
    await succeed(gembenchProcess(folder, ...args, '--results', 'whole', '--no-cache'))
    expect(await lastOf(folder, 'results')).toEqual(await lastOf(folder, 'whole'))
    await server.close()
    await rm(folder, { recursive: true })
  })

  test.skipIf(withoutRedis !== undefined)(
    `two workers write the bytes of a run without workers${withoutRedis === undefined ? '' : ` (${withoutRedis})`}`,
    async () => {
      const redis = await startRedis()
      const folder = await tinyProject({ methods: ['bm25', 'vector', 'gem-rag', 'raptor', 'hipporag2'], repeats: 2 })
      const workers = [startWorker(folder, 'first', [redis.url]), startWorker(folder, 'second', [redis.url])]
      const args = ['run', '--quiet', '-c', 'tiny.yaml', '--cache-folder', 'cache']
      await succeed(gembenchProcess(folder, ...args, '--workers', redis.url))
      await Promise.all(workers.map((worker) => worker.end('SIGKILL')))
      await redis.stop()
      await succeed(gembenchProcess(folder, ...args, '--results', 'whole', '--no-cache'))
      expect(await lastOf(folder, 'results')).toEqual(await lastOf(folder, 'whole'))
      await rm(folder, { recursive: true })
    },
  )

  test('calls that fail are counted by kind and asked again by the same command', async () => {
    const server = await fakeServer({ behave: (_, index) => (index > 2 && index < 6 ? { status: 400 } : undefined) })
    const complete = { use: 'openai', model: 'm', baseUrl: server.url, retries: 0, concurrency: 1 }
    const folder = await tinyProject({
      models: { complete, embed: 'fake' },
      methods: ['bm25', 'oracle'],
      concurrency: 1,
    })
    const first = await gembench(folder, 'run', '--quiet', '-c', 'tiny.yaml', '--no-cache')
    const [run = ''] = await runsIn(join(folder, 'results'))
    await expect(`exit code ${first.code}\n${await factsOf(run)}`).toMatchFileSnapshot(golden('failures'))
    await succeed(gembench(folder, 'run', '--quiet', '-c', 'tiny.yaml', '--no-cache'))
    await expect(await factsOf(run)).toMatchFileSnapshot(golden('failures-repaired'))
    await server.close()
    await rm(folder, { recursive: true })
  })
})

/** The lines and tables of the run in a folder, which a resumed and an undisturbed run have alike. */
async function lastOf(folder: string, results: string): Promise<readonly string[]> {
  const [run = ''] = await runsIn(join(folder, results))
  const files = ['trials.jsonl', 'passages.jsonl', 'scores.jsonl', 'table.md', 'table.csv', 'table.tex']
  return Promise.all(files.map((file) => readFile(join(run, file), 'utf8')))
}

describe('own documents, methods and programs', () => {
  const notes = {
    'mill.md': '# Mill\n\nThe mill at Orrin was built in 1841 by Tamsin Vale. The weir broke in 1903.\n',
    'bakery.txt': 'The miller, Edric Sloe, moved to Harrowgate and opened a bakery.\n',
    'museum.html': '<h1>Museum</h1><p>The oven was sold to a museum in Lisk.</p>',
  }
  const questions = [
    'question,answer,evidence',
    'Who built the mill at Orrin?,Tamsin Vale,built in 1841 by Tamsin Vale',
    'What did Edric Sloe open?,a bakery,opened a bakery',
    'Where is the oven?,a museum in Lisk,sold to a museum in Lisk',
    'When did the weir break?,1903,The weir broke in 1903',
  ]

  async function ownFolder(methods: readonly unknown[]): Promise<string> {
    const folder = await temporaryFolder()
    await mkdir(join(folder, 'notes'))
    for (const [name, text] of Object.entries(notes)) await writeFile(join(folder, 'notes', name), text)
    await writeFile(join(folder, 'questions.csv'), `${questions.join('\n')}\n`)
    await writeConfig(folder, {
      dataset: { documents: 'notes', questions: 'questions.csv' },
      scorers: ['contains', 'retrieval'],
      budget: { passages: 1, tokens: 100 },
      methods,
    })
    return folder
  }

  test('a folder of documents with a file of questions, as init writes its config', async () => {
    const folder = await ownFolder(['bm25'])
    await succeed(gembench(folder, 'init', 'notes'))
    await succeed(gembench(folder, 'run', '--quiet', ...fakeEmbedder))
    await expect(await factsOfAll(join(folder, 'results'))).toMatchFileSnapshot(golden('own-folder'))
    await rm(folder, { recursive: true })
  })

  test('a method in a file', async () => {
    const folder = await ownFolder(['bm25', './first.ts'])
    await writeFile(
      join(folder, 'first.ts'),
      `import { defineMethod, z } from 'gembench'
export default defineMethod({
  name: 'first', version: 1, summary: 'The first chunks.', options: z.strictObject({}),
  index: async (chunks) => ({
    retrieve: async (_query, budget) =>
      chunks.slice(0, budget.passages).map(({ id, text }) => ({ id, text, from: [id], kind: 'chunk', score: 1 })),
  }),
})
`,
    )
    await succeed(gembench(folder, 'run', '--quiet', '-c', 'golden.yaml', '--trust'))
    await expect(await factsOfAll(join(folder, 'results'))).toMatchFileSnapshot(golden('method-in-a-file'))
    await rm(folder, { recursive: true })
  })

  test('a method as a program', async () => {
    const program = join(repository, 'src', 'test-support', 'program.js')
    const folder = await ownFolder(['bm25', { use: 'command', label: 'program', run: ['node', program] }])
    await succeed(gembench(folder, 'run', '--quiet', '-c', 'golden.yaml', '--trust'))
    await expect(await factsOfAll(join(folder, 'results'))).toMatchFileSnapshot(golden('program'))
    await rm(folder, { recursive: true })
  })

  test('the gate between two runs passes, fails, and says so by its exit code', async () => {
    const folder = await ownFolder(['bm25'])
    await succeed(gembench(folder, 'run', '--quiet', '-c', 'golden.yaml'))
    const [before = ''] = await runsIn(join(folder, 'results'))
    await writeFile(join(folder, 'notes', 'rumour.txt'), 'The mill at Orrin was built by nobody. Who built it?\n')
    await succeed(gembench(folder, 'run', '--quiet', '-c', 'golden.yaml', '--results', 'later'))
    const [after = ''] = await runsIn(join(folder, 'later'))
    const codes = await Promise.all(
      [
        [before, before],
        [before, after],
      ].map(async (pair) => {
        const { code } = await gembench(folder, 'diff', ...pair, '--fail-if', 'worse', '--margin', '.03')
        return code
      }),
    )
    const { out } = await succeed(gembench(folder, 'diff', before, after, '--json'))
    expect(JSON.parse(out)).toBeTypeOf('object')
    await expect(`exit codes ${codes.join(' ')}\n`).toMatchFileSnapshot(golden('gate'))
    await rm(folder, { recursive: true })
  })
})

describe('what is read from a run', () => {
  test('every format of its table has its rows and their means; the page has its rows and questions', async () => {
    const folder = await temporaryFolder()
    await writeConfig(folder, {})
    await succeed(gembench(folder, 'run', '--quiet', '-c', 'golden.yaml'))
    const [run = ''] = await runsIn(join(folder, 'results'))
    const table = JSON.parse(await readFile(join(run, 'table.json'), 'utf8')) as {
      readonly cells: readonly { method: string; scorer: string; subset: string; mean: number }[]
    }
    const means = table.cells
      .filter(({ scorer, subset }) => scorer === 'accuracy' && subset === 'all')
      .filter(({ method }, index, cells) => cells.findIndex((cell) => cell.method === method) === index)
    expect(means.map(({ method }) => method)).toEqual(['bm25', 'vector'])
    for (const format of ['md', 'csv', 'json', 'latex', 'usage-csv']) {
      const { out } = await succeed(gembench(folder, 'table', run, '--format', format))
      for (const { method, mean } of means) {
        expect(out).toContain(method)
        if (['md', 'latex'].includes(format)) expect(out).toContain((100 * mean).toFixed(1))
      }
    }
    await succeed(gembench(folder, 'table', run, '--format', 'trec', '-o', 'trec'))
    const written = await readdir(join(folder, 'trec'))
    await expect(`${written.sort().join('\n')}\n`).toMatchFileSnapshot(golden('files-of-formats'))
    await succeed(gembench(folder, 'report', run, '-o', 'page.html'))
    const page = await readFile(join(folder, 'page.html'), 'utf8')
    for (const text of ['bm25', 'vector', 'choice-01']) expect(page).toContain(text)
    await rm(folder, { recursive: true })
  })

  test('stored answers are scored again with the same figures', async () => {
    const folder = await temporaryFolder()
    await writeConfig(folder, {})
    await succeed(gembench(folder, 'run', '--quiet', '-c', 'golden.yaml'))
    const [run = ''] = await runsIn(join(folder, 'results'))
    const facts = await factsOf(run)
    await succeed(gembench(folder, 'score', run))
    expect(await factsOf(run)).toBe(facts)
    expect((await gembench(folder, 'verify', run)).code).toBe(0)
    await rm(folder, { recursive: true })
  })

  test('recorded rankings and calls of published runs give the published figures', async () => {
    const published = join(repository, 'results', 'published')
    const folder = await temporaryFolder()
    for (const name of ['fast-graphrag-2wiki', 'hipporag2-musique', 'embedders-2wiki']) {
      await cp(join(published, name), join(folder, name), { recursive: true })
      const { code } = await gembench(folder, 'verify', name, '--trust')
      expect({ name, code }).toEqual({ name, code: 0 })
    }
    await expect(await factsOf(join(folder, 'fast-graphrag-2wiki'))).toMatchFileSnapshot(golden('recorded'))
    await rm(folder, { recursive: true })
  })
})
