import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, test } from 'vitest'
import { tinyProject } from '../../test-support/tiny.ts'
import { fail } from '../main.ts'
import { program } from '../program.ts'
import { captured } from '../../test-support/captured.ts'

const printed = captured()

/** The exit code of a command in a project. */
async function gembench(project: string, command: string, ...args: readonly string[]): Promise<number> {
  const cache = ['--cache-folder', join(project, 'cache')]
  return program('0.0.0')
    .exitOverride()
    .parseAsync([command, ...args, ...cache], { from: 'user' })
    .then(
      () => 0,
      (error: unknown) => fail(error),
    )
}

const question = 'Who built the mill at Orrin?'

async function exported(): Promise<{ project: string; config: string; file: string }> {
  const project = await tinyProject({ methods: ['bm25', 'gem-rag'] })
  const config = join(project, 'tiny.yaml')
  const file = join(project, 'gem.json')
  expect(await gembench(project, 'graph', '-c', config, '--format', 'gem', '-o', file)).toBe(0)
  return { project, config, file }
}

describe('gembench query --graph', () => {
  test('prints what a fresh index prints', async () => {
    const { project, config, file } = await exported()
    expect(printed.out).toMatch(/^gem-rag on sample: \d+ chunks\nwrote .*gem\.json {2}\d+ kB\n$/)
    printed.out = ''
    expect(await gembench(project, 'query', question, '-c', config, '-m', 'gem-rag')).toBe(0)
    const fresh = printed.out
    printed.out = ''
    expect(await gembench(project, 'query', question, '-c', config, '--graph', file)).toBe(0)
    expect(printed.out).toBe(fresh)
    expect(printed.out).toMatch(/^1\. (memory of )?the-(mill|bakery)\S* {2}score /m)
    expect(printed.out).toContain('Tamsin Vale')
  })

  test('needs no config: models and budget are set, and another language model answers', async () => {
    const { project, file } = await exported()
    const set = ['models.embed=fake', 'models.complete={use: fake, reply: from another model}', 'budget.passages=1']
    printed.out = ''
    expect(
      await gembench(project, 'query', question, '--graph', file, '--json', ...set.flatMap((one) => ['--set', one])),
    ).toBe(0)
    expect(JSON.parse(printed.out)).toMatchObject({
      ...{ corpus: 'sample', answer: { text: 'from another model' } },
      ...{ passages: [expect.objectContaining({ kind: expect.any(String) })], usage: { index: { calls: 0 } } },
    })
  })

  test('the file is overwritten by its command alone', async () => {
    const { project, config, file } = await exported()
    const before = await readFile(file, 'utf8')
    expect(await gembench(project, 'graph', '-c', config, '--format', 'gem', '-o', file)).toBe(0)
    expect(await readFile(file, 'utf8')).toBe(before)
    await writeFile(file, 'my notes')
    expect(await gembench(project, 'graph', '-c', config, '--format', 'gem', '-o', file)).toBe(2)
    expect(await readFile(file, 'utf8')).toBe('my notes')
  })

  const damaged = (text: string): string => text.replace(/"from":0,"to":\d+/, '"from":0,"to":999')
  test.each<[string, (text: string) => string, readonly string[]]>([
    ['is not JSON, or was cut off', (text) => text.slice(0, 2000), []],
    ['index: "memories[0].edges[0]" leads from node 0 to node 999, and there are', damaged, []],
    [
      'its vectors were made by the model "fake fake", and models.embed is "minilm all-MiniLM-L6-v2"',
      (text) => text,
      [],
    ],
    [
      '--graph cannot be combined with --method or --corpus: the file is',
      (text) => text,
      ['-m', 'bm25', '--corpus', 'a'],
    ],
    ['with --graph, set a key below answers, budget, models or seed', (text) => text, ['--set', 'chunks.size=3']],
  ])('%s: one line, exit code 2', async (said, damage, args) => {
    const { project, file } = await exported()
    await writeFile(file, damage(await readFile(file, 'utf8')))
    printed.out = printed.err = ''
    expect(await gembench(project, 'query', question, '--graph', file, ...args)).toBe(2)
    expect(printed.err).toContain(said)
    expect(printed.err.trimEnd().split('\n')).toHaveLength(1)
    expect(printed.out).toBe('')
  })

  test.each([
    [
      ['query', question],
      'nothing to ask: give a config with -c FILE, or write gembench.yaml with "gembench init", or give an exported index',
    ],
    [['query', question, '-c', 'tiny.yaml'], 'no method is named: give one of the config with --method LABEL'],
    [['graph', '-c', 'tiny.yaml', '--format', 'gem', '--ask', 'Why?'], '--ask cannot be combined with --format gem'],
  ])('%j: %s', async ([command = '', ...args], said) => {
    const project = await tinyProject()
    const output = command === 'graph' ? ['-o', join(project, 'out')] : []
    expect(await gembench(project, command, ...args, ...output)).toBe(2)
    expect(printed.err).toContain(said)
  })
})

describe('gembench query with the id of a question', () => {
  const ask = async (id: string, method: string, ...args: readonly string[]): Promise<number> =>
    gembench(project, 'query', id, '-c', join(project, 'tiny.yaml'), '-m', method, ...args)
  let project = ''
  beforeEach(async () => {
    project = await tinyProject({ methods: ['bm25', 'oracle'] })
  })

  test('shows what is right, and which passages hold evidence; it is asked as a run asks it', async () => {
    expect(await ask('oven', 'bm25')).toBe(0)
    expect(printed.out).toMatch(
      /^question {2}Where did the oven[^]*\noptions {3}1\. To Orrin\n[^]*\nright {5}2\. To a museum in Lisk\nevidence {2}the-mill: /,
    )
    expect(printed.out).toMatch(/\n\n1\. the-mill {2}score .* tokens {2}holds evidence \d/)
    expect(printed.out).toMatch(/\nanswer .* \(option \d\)\n$/)
    printed.out = ''
    await gembench(project, 'run', '-c', join(project, 'tiny.yaml'), '--quiet', '--results', join(project, 'results'))
    const [folder = ''] = await readdir(join(project, 'results'))
    const trials = (await readFile(join(project, 'results', folder, 'trials.jsonl'), 'utf8')).trim().split('\n')
    const trial = trials.map((line) => JSON.parse(line) as TrialLine).find((one) => one.question?.id === 'oven')
    await ask('oven', 'bm25', '--json')
    expect(JSON.parse(printed.out)).toMatchObject({
      question: { id: 'oven' },
      answer: trial?.answer,
      // the text of a passage stands in passages.jsonl, by its digest
      passages: trial?.context?.map(({ from, score }) => ({ from, score })),
    })
    process.exitCode = 0
  })

  test('a method that needs evidence answers it, but no question of one’s own', async () => {
    expect(await ask('builder', 'oracle')).toBe(0)
    expect(printed.out).toContain('holds evidence 1')
    expect(await ask('Who built it?', 'oracle')).toBe(2)
    expect(printed.err).toContain('name another method, or a question of the dataset by its id')
  })

  test('a word that is no id is asked, and said to be no id; a question in words is not', async () => {
    expect(await ask('biulder', 'bm25')).toBe(0)
    expect(printed.err).toContain('note: no question has the id "biulder"; it was asked in these words\n')
    printed.err = ''
    expect(await ask('Who built it?', 'bm25')).toBe(0)
    expect(await ask('builder', 'bm25')).toBe(0)
    expect(printed.err).not.toContain('note:')
  })

  test('an empty question is refused', async () => {
    expect(await ask('  ', 'bm25')).toBe(2)
    expect(printed.err).toBe('error the question is empty; write gembench query "the question"\n')
  })

  test('in another corpus it is a question like any other', async () => {
    expect(await ask('builder', 'bm25', '--corpus', 'none')).toBe(2)
    expect(printed.err).toContain('unknown corpus "none"')
  })
})

interface TrialLine {
  readonly question?: { readonly id: string }
  readonly answer?: unknown
  readonly context?: readonly { readonly from: readonly string[]; readonly score: number }[]
}

describe('gembench query --prompt', () => {
  const films = fileURLToPath(new URL('../../../datasets/sample-films', import.meta.url))

  async function asked(method: string, ...more: readonly string[]): Promise<number> {
    const project = await tinyProject({
      ...{ methods: ['oracle', 'closed-book', 'full-context', 'bm25', 'hlgraphrag'], scorers: undefined },
      dataset: { use: 'cmu-dog', path: films, options: { unit: 'turn', split: 'valid', history: 2 } },
    })
    return gembench(project, 'query', ...more, '-c', join(project, 'tiny.yaml'), '-m', method)
  }
  const id = 'eb81f53def1b0f43854a8ac99f875d3574db233d:4'

  test.each(['oracle', 'closed-book', 'full-context', 'bm25', 'hlgraphrag'])(
    '%s: a turn is asked with its history',
    async (method) => {
      expect(await asked(method, id, '--prompt')).toBe(0)
      expect(printed.out).toMatch(/You are user2 in a conversation with user1\./)
      expect(printed.out).toContain(
        'The conversation so far:\nuser1: Is it a film for children?\nuser2: Yes, a family film from 2003',
      )
      expect(printed.out).toContain('user\nuser1: Where does it play?')
      expect(printed.out.includes('Context:')).toBe(['oracle', 'full-context', 'hlgraphrag'].includes(method))
    },
  )
})
