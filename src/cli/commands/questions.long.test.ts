import { cpSync, existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { gembench, expectRefusal } from '../../test-support/cli.ts'
import { folderOf } from '../../test-support/dataset-copies/write-files.ts'
import { fakeServer, type FakeServer } from '../../test-support/servers/server.ts'

const documents = fileURLToPath(new URL('../../../datasets/sample/documents', import.meta.url))

async function initProject(): Promise<string> {
  const here = folderOf({})
  cpSync(documents, join(here, 'notes'), { recursive: true })
  await gembench(here, 'init', 'notes')
  return here
}

test('drafts questions offline after init, never overwrites them, and marks every table', async () => {
  const here = await initProject()
  const reply = await gembench(here, 'questions', '--count', '6')
  expect(reply).toMatchObject({
    code: 0,
    err: expect.stringMatching(
      /^config: gembench\.yaml\nDrafting 6 questions with extractive from \d+ chunks of 8 documents.*\. At most 54 calls: 3 per draft, 3 drafts per question\.\n$/,
    ),
  })
  expect(reply.out).toContain('wrote questions.csv: 6 questions, each with its evidence and the tag "synthetic"')
  const first = readFileSync(join(here, 'questions.csv'), 'utf8')
  expect(first).toMatch(/^id,question,answer,evidence,document,tags,cluster,synthetic\nsynthetic-\w{8},/)

  await expectRefusal(gembench(here, 'questions', '--count', '6'), 'is not overwritten; name another file with -o\n')
  expect(readFileSync(join(here, 'questions.csv'), 'utf8')).toBe(first)

  // without a cache and one call at a time
  const second = await gembench(
    here,
    'questions',
    '--count',
    '6',
    '-o',
    'other.csv',
    '--no-cache',
    '--set',
    'models.complete.concurrency=1',
  )
  expect(second.out).toContain('set dataset.questions in the config to other.csv')
  expect(readFileSync(join(here, 'other.csv'), 'utf8')).toBe(first)

  expect((await gembench(here, 'validate')).out).toContain('6 questions in English (6 synthetic)')
  const message = '6 of 6 questions are synthetic: drafted by extractive from the documents'
  const run = await gembench(
    here,
    'run',
    '--methods',
    'bm25,closed-book',
    '--set',
    'vary={"budget.tokens": [100, 1000]}',
  )
  expect(run.out).toContain(message)
  const results = readdirSync(join(here, 'results'))
  expect(results).toHaveLength(3)
  for (const folder of results) {
    const read = (name: string): string => readFileSync(join(here, 'results', folder, name), 'utf8')
    for (const name of ['table.md', 'table.csv', 'usage.csv', 'table.tex']) expect(read(name)).toContain(message)
    expect(read('table.tex')).toContain(`\\noindent ${message}\\par`)
    expect(JSON.parse(read('table.json'))).toMatchObject({ synthetic: { questions: 6, of: 6, by: ['extractive'] } })
  }
  const series = results.find((name) => name.includes('series')) ?? ''
  const [figure = ''] = readdirSync(join(here, 'results', series, 'figures'))
  expect(readFileSync(join(here, 'results', series, 'figures', figure), 'utf8')).toContain('questions are synthetic')
  expect((await gembench(here, 'diff', series, series)).out).toContain(message)
  expect((await gembench(here, 'power', series, '--difference', '.1')).out).toContain(message)
}, 100_000)

const servers: FakeServer[] = []
afterAll(() => Promise.all(servers.map((server) => server.close())))

/** A folder of one note whose config asks a model that always gives these replies. */
async function asking(
  replyTo: (prompt: string) => string,
  note = 'Arden Mill was built by John Bell in 1790.',
): Promise<string> {
  const server = await fakeServer({
    behave: ({ body }) => ({ reply: replyTo(JSON.stringify(body['messages'])) }),
  })
  servers.push(server)
  return folderOf({
    'notes/mill.txt': note,
    'gembench.yaml': `name: x
dataset: { documents: notes, questions: new/questions.jsonl }
models:
  complete: { use: openai, model: gpt-x, baseUrl: ${server.url}, price: { prompt: 1, completion: 2 } }
methods: [bm25]
`,
  })
}

test('writes drafts of a served model into a new folder with their cost', async () => {
  const draft = {
    question: 'Who built Arden Mill?',
    answer: 'John Bell',
    evidence: 'Arden Mill was built by John Bell in 1790.',
  }
  const here = await asking((prompt) =>
    prompt.includes('You write questions')
      ? JSON.stringify(draft)
      : prompt.includes('Context:')
        ? 'John Bell'
        : 'unanswerable',
  )
  const { code, out } = await gembench(here, 'questions', '--count', '1', '--budget-usd', '1')
  expect(code).toBe(0)
  expect(out).toContain('Calls: 3 (0 from the cache). Tokens: 387 prompt, 9 completion ($0.0004)'.replace('$', ''))
  expect(JSON.parse(readFileSync(join(here, 'new/questions.jsonl'), 'utf8'))).toMatchObject({
    ...draft,
    document: 'mill.txt',
    tags: 'synthetic',
    synthetic: 'openai gpt-x',
  })
  expect((await gembench(here, 'validate')).code).toBe(0)
})

test('leaves no file for a model without valid JSON; ends with 5 at a call limit', async () => {
  const here = await asking(() => 'I cannot help with that.')
  const { code, out } = await gembench(here, 'questions', '--count', '2')
  expect(code).toBe(3)
  expect(out).toContain('No draft passed its checks, so no file was written.')
  expect(out).toContain('Drafts: 6; left out: replies that could not be read 6')
  expect(existsSync(join(here, 'new'))).toBe(false)
  expect((await gembench(here, 'questions', '--budget-calls', '1')).code).toBe(5)
})

test('drafts nothing from tiny documents, without documents or with another dataset', async () => {
  const here = await asking(() => '', 'Too short.')
  expect(await gembench(here, 'questions')).toMatchObject({
    code: 3,
    err: expect.stringContaining('from 0 chunks of 1 document; left out: chunks of fewer than 5 words 1'),
    out: expect.stringContaining('Drafts: 0'),
  })
  writeFileSync(join(here, 'other.yaml'), 'name: y\ndataset: sample\nmethods: [bm25]\n')
  writeFileSync(join(here, 'notes', 'mill.txt'), ' \n')
  await expectRefusal(gembench(here, 'questions'), 'holds no documents')
  await expectRefusal(
    gembench(here, 'questions', '-c', 'other.yaml'),
    'questions are drafted for documents of your own: the dataset of the config is "sample"',
  )
  writeFileSync(join(here, 'notes', 'mill.txt'), 'Arden Mill was built by John Bell in 1790.')
  await expectRefusal(
    gembench(here, 'questions', '-o', 'notes/q.csv'),
    'lies among the documents and would be read as one',
  )
})
