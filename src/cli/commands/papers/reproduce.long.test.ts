import { existsSync } from 'node:fs'
import { readdir, writeFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fakeServer, type FakeServer } from '../../../test-support/servers/server.ts'
import { tinyProject } from '../../../test-support/tiny.ts'
import { gembench, expectRefusal } from '../../../test-support/cli.ts'

let server: FakeServer
beforeAll(async () => {
  server = await fakeServer({ behave: ({ path }) => (path.endsWith('/embeddings') ? undefined : { reply: '2' }) })
})
afterAll(() => server.close())

const column = { scorer: 'accuracy', metric: 'accuracy', unit: 'percent', tolerance: 100 }

const paper = {
  paper: 'A paper',
  table: 'Table 1',
  runs: {
    here: {
      configs: ['tiny.yaml'],
      questions: 3,
      offline: [
        { configs: ['gone.yaml'] },
        { configs: ['tiny.yaml'], set: ['models.complete=extractive', 'models.embed=fake'] },
      ],
    },
    there: {
      configs: ['tiny.yaml'],
      set: ['models.complete={use: openai, model: m, baseUrl: "${SOME_URL}"}', 'dataset=quality'],
      needs: 'ask the authors',
    },
  },
  rows: { BM25: { method: 'bm25' }, Embed: { method: 'vector' }, Other: {} },
  columns: { accuracy: { run: 'here', ...column }, elsewhere: { run: 'there', ...column } },
  cells: [
    { row: 'BM25', column: 'accuracy', value: 60 },
    { row: 'Other', column: 'accuracy', value: 61 },
    { row: 'Embed', column: 'elsewhere', value: 62 },
  ],
}

async function paperProject(more: object = {}): Promise<string> {
  const model = { use: 'openai', model: 'm', baseUrl: server.url }
  const project = await tinyProject({ methods: ['bm25', 'vector'], models: { complete: model, embed: model } })
  await writeFile(join(project, 'table.json'), JSON.stringify({ ...paper, ...more }, null, 2))
  return project
}

test('names what is missing with its command, runs the rest, exit code 3', async () => {
  const project = await paperProject()
  const { code, out, err } = await gembench(project, 'reproduce', 'table.json')
  expect([code, err]).toEqual([3, ''])
  expect(out.split('\n').slice(0, 6)).toEqual([
    'Comparable with the paper (here). Cannot run: there.',
    'Set SOME_URL in the environment or in .env.',
    'Download the data: gembench data get quality',
    'ask the authors',
    '',
    'Table 1  A paper',
  ])
  expect(out).toMatch(/^accuracy, %; tolerance ±100\.00$/m)
  expect(out).toMatch(/^BM25 +60\.00 +\d+\.\d\d( ±\d+\.\d\d)? +[+-]\d+\.\d\d +(equivalent|not determined)/m)
  expect(out).toMatch(/^Other +61\.00 +– +– +not run$/m)
  expect(out).not.toMatch(/^Embed /m)
  expect(out).toMatch(/^not run: the run "there" lacks something that it needs$/m)
  expect(out).toMatch(/^here: results\/tiny-[0-9a-f]{8}\/$/m)
})

test('--offline runs the first possible variant and prints no difference and no outcome', async () => {
  const project = await paperProject()
  const { code, out } = await gembench(project, 'reproduce', 'table.json', '--offline', '--json')
  expect(code).toBe(0)
  const { runs, cells } = JSON.parse(out) as { runs: unknown; cells: unknown }
  const incomparable =
    'an offline variant on sample; "extractive" is not a language model; "fake" is not a language model'
  expect(runs).toEqual([{ name: 'here', folder: expect.any(String), failed: 0, incomparable }])
  expect(cells).toMatchObject([
    { row: 'BM25', paper: 60, ours: expect.any(Number), difference: null, outcome: 'not comparable', tolerance: null },
    { row: 'Other', ours: null, outcome: 'not run' },
  ])
})

test('judges claims below the cells, and in JSON', async () => {
  const about = { place: 'Section 1', columns: ['accuracy'] }
  const claims = [
    { ...about, claim: 'BM25 is best', top: ['BM25'], of: ['Embed'] },
    { ...about, claim: 'others are better', order: ['Other', 'BM25'] },
    { ...about, claim: 'elsewhere too', columns: ['elsewhere'], order: ['Embed', 'BM25'] },
  ]
  const project = await paperProject({ claims })
  const { out } = await gembench(project, 'reproduce', 'table.json')
  // one question, which both answered alike
  const difference = '+0.0000 (-0.7935 to +0.7935)'
  expect(out).toContain(
    `BM25 is best (Section 1)\n  our runs: not supported; BM25 above Embed: ${difference}, p cannot reach 0.05 with 1 question\n  paper's numbers: no number\n`,
  )
  expect(out).toContain(
    'others are better (Section 1)\n  our runs: not run; gembench has no method for "Other" yet\n  paper\'s numbers: supported\n',
  )
  const full = await gembench(project, 'reproduce', 'table.json', '--full')
  expect(full.out).toMatch(
    /^BM25 above Embed +\+0\.0000 \(-0\.7935 to \+0\.7935\) +0 : 0 +1 +cannot reach 0\.05 with 1 question +not supported$/m,
  )
  const latex = await gembench(project, 'reproduce', 'table.json', '--latex')
  expect(latex.out).toMatch(
    /^% \\usepackage\{booktabs,adjustbox\}\n% A paper\n\\begin\{table\}\n\\caption\{Table 1: accuracy/,
  )
  expect(latex.out).toContain('\\label{tab:table-1}')
  const json = JSON.parse((await gembench(project, 'reproduce', 'table.json', '--json')).out) as { claims: unknown }
  expect(json.claims).toMatchObject([
    {
      claim: 'BM25 is best',
      outcome: 'not supported',
      pairs: [{ statement: 'BM25 above Embed', difference: 0, error: null, p: 1, pAdjusted: 1, questions: 1 }],
    },
    { outcome: 'not run', pairs: [] },
    { outcome: 'not run', reason: 'the run "there" lacks something that it needs' },
  ])
  const offline = await gembench(project, 'reproduce', 'table.json', '--offline')
  expect(offline.out).toMatch(/^BM25 is best .*\n {2}our runs: not comparable; our numbers alone: not supported/m)
})

const withHere = (more: object) => ({ runs: { ...paper.runs, here: { ...paper.runs.here, ...more } } })

test.each([
  [['--limit', '2'], {}, 'this run has 2 questions, the paper asked 3'],
  [[], withHere({ questions: 9 }), 'this run has 3 questions, the paper asked 9'],
  [[], withHere({ set: ['models.answer=extractive'] }), '"extractive" is not a language model'],
  [[], withHere({ set: ['models.judge=extractive'] }), '"extractive" is not a language model'],
])('does not compare other questions, or a run without a language model: %j %j', async (flags, more, reason) => {
  const { out, err } = await gembench(await paperProject(more), 'reproduce', 'table.json', ...flags)
  expect(err).toBe('')
  expect(out).toContain(`Not comparable with the paper (here): ${reason}. Cannot run: there.\n`)
  expect(out).toMatch(/^BM25 +60\.00 +\d+\.\d\d +– +not comparable$/m)
  expect(out).toContain(`not comparable: ${reason}`)
})

test('gives no outcome for a row with failed trials', async () => {
  const server = await fakeServer({ behave: () => ({ status: 400 }) })
  const models = `models.complete={use: openai, model: m, baseUrl: "${server.url}", retries: 0}`
  const tokens = { run: 'here', phases: ['answer'], tokens: 'promptTokens', unit: 'thousands', tolerance: 100 }
  const cells = [{ row: 'BM25', column: 'tokens', value: 1 }]
  const project = await paperProject({ ...withHere({ set: [models] }), columns: { ...paper.columns, tokens }, cells })
  const { code, out } = await gembench(project, 'reproduce', 'table.json', '--json')
  await server.close()
  expect(code).toBe(3)
  expect(JSON.parse(out)).toMatchObject({
    cells: [{ n: 3, failed: 3, outcome: 'not comparable', reason: '3 of 3 trials of bm25 failed' }],
  })
})

test('reports an unreadable dataset and compares nothing of it', async () => {
  const project = await paperProject()
  await writeFile(join(project, 'data', 'questions.jsonl'), '{"id":1}\n')
  const { code, out } = await gembench(project, 'reproduce', 'table.json')
  expect(code).toBe(2)
  expect(out).toMatch(/^Cannot run: here, there\.\n/)
  expect(out).toMatch(/^\S*questions\.jsonl:1/m)
  expect(out).not.toMatch(/^BM25/m)
})

test('ends with exit code 2 and creates nothing if no run can start', async () => {
  const project = await paperProject({
    runs: { there: paper.runs.there },
    columns: { elsewhere: paper.columns.elsewhere },
    cells: [paper.cells[2]],
  })
  const { code, out } = await gembench(project, 'reproduce', 'table.json')
  expect([code, out.split('\n')]).toEqual([
    2,
    [
      'Cannot run: there.',
      'Set SOME_URL in the environment or in .env.',
      'Download the data: gembench data get quality',
      'ask the authors',
      '',
    ],
  ])
  expect(existsSync(join(project, 'results'))).toBe(false)
})

test('lists the tables and reports an unknown name or invalid file in one line', async () => {
  const project = await paperProject({ rows: { BM25: { method: 'bm25' } } })
  const bare = await gembench(project, 'reproduce')
  expect(bare.code).toBe(0)
  expect(bare.out).toMatch(/^gem-rag-table-1 {2}Table I {2}Rappazzo/m)
  await expectRefusal(gembench(project, 'reproduce', 'gem-rag-tabel-1'), 'did you mean "gem-rag-table-1"?')
  const wrong = await gembench(project, 'reproduce', 'table.json')
  expect(wrong).toMatchObject({ code: 2, out: '' })
  expect(wrong.err).toMatch(/table\.json:\d+:\d+: cells\.1\.row: there is no row "Other" in this file/)
})

test('trains the networks of a run once before it', async () => {
  const gor = (label: string, weights: string) => ({
    use: 'graph-of-records',
    label,
    gnn: 'trained',
    weights: `\${GOR_WEIGHTS}/${weights}.json`,
  })
  const project = await tinyProject({
    methods: [gor('whole', 'all'), gor('part', 'without')],
    models: { complete: 'extractive', embed: 'fake' },
    train: { epochs: 2, batch: 1 },
  })
  const here = { configs: ['tiny.yaml'], train: { files: { all: [], without: ['train.contrastive=false'] } } }
  const table = {
    paper: 'A paper',
    table: 'Ablation',
    runs: { here },
    columns: { accuracy: { run: 'here', ...column } },
    rows: { Whole: { method: 'whole' }, Part: { method: 'part' } },
    cells: [{ row: 'Whole', column: 'accuracy', value: null }],
    claims: [{ claim: 'the whole is best', place: 'Section 4', columns: ['accuracy'], order: ['Whole', 'Part'] }],
  }
  await writeFile(join(project, 'table.json'), JSON.stringify(table))
  const plan = await gembench(project, 'reproduce', 'table.json', '--plan')
  expect([plan.code, plan.err]).toEqual([0, ''])
  expect(plan.out).toMatch(/^warning: here: the calls to train 2 networks are not counted$/m)
  expect(plan.out).toMatch(/^here: 6 trials\n\nmethod .*\nwhole +index .*\nwhole +retrieve .*\nwhole +answer +3 /m)
  expect(existsSync(join(project, 'results'))).toBe(false)
  const first = await gembench(project, 'reproduce', 'table.json')
  expect([first.code, first.err.includes('error')]).toEqual([0, false])
  expect(first.out).toMatch(/^the whole is best .*\n {2}our runs: not comparable; our numbers alone: not supported/m)
  const [folder = ''] = await readdir(join(project, 'results', 'weights'))
  expect(await readdir(join(project, 'results', 'weights', folder))).toEqual(['all.json', 'without.json'])
  const weights = join(project, 'results', 'weights', folder, 'all.json')
  const { mtimeMs } = await stat(weights)
  expect((await gembench(project, 'reproduce', 'table.json')).code).toBe(0)
  expect((await stat(weights)).mtimeMs).toBe(mtimeMs)
  expect((await gembench(project, 'reproduce', 'table.json', '--plan')).code).toBe(0)
})

test('--plan counts columns that share a run once', async () => {
  const { out } = await gembench(await paperProject(), 'reproduce', 'gor-main', '--offline', '--plan')
  expect(out.match(/^.*: \d+ trials$/gm)).toEqual(['QMSum and 23 others that are the same run: 64 trials'])
  expect(out).not.toContain('all runs together')
})

test('--plan prints the cost of each run without a call; --only selects rows and runs', async () => {
  const project = await paperProject()
  const hits = server.hits.length
  const plan = await gembench(project, 'reproduce', 'table.json', '--offline', '--plan')
  expect([plan.code, plan.err, server.hits.length]).toEqual([0, '', hits])
  expect(plan.out).toMatch(/^here: 6 trials$/m)
  expect(plan.out).toMatch(/^bm25 +answer +\d+/m)
  const item = await gembench(project, 'reproduce', 'table.json', '--offline', '--plan', '--only', 'BM25', '--json')
  expect(JSON.parse(item.out)).toMatchObject({ runs: [{ label: 'here', trials: 3 }] })
  const run = await gembench(project, 'reproduce', 'table.json', '--offline', '--only', 'BM25,here')
  expect(run.out).toMatch(/^BM25 /m)
  expect(run.out).not.toMatch(/^(Embed|Other) /m)
  expect(await gembench(project, 'reproduce', 'table.json', '--only', 'BM26')).toMatchObject({
    code: 2,
    err: expect.stringMatching(/^error --only: unknown row or run "BM26"; did you mean "BM25"/) as string,
  })
})
