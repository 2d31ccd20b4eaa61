import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, test } from 'vitest'
import { tinyProject } from '../../test-support/tiny.ts'
import { fail } from '../main.ts'
import { parse } from '../program.ts'
import { captured } from '../../test-support/captured.ts'

const printed = captured()

/** The exit code of a command in a project. */
async function gembench(project: string, command: string, ...args: readonly string[]): Promise<number> {
  const cache = ['--cache-folder', join(project, 'cache')]
  return parse('0.0.0', [command, ...args, ...cache]).then(
    () => 0,
    (error: unknown) => fail(error),
  )
}

const question = 'Who built the mill at Orrin?'

test.each([
  [['query', question], 'nothing to ask: give a config with -c FILE, or write gembench.yaml with "gembench init"\n'],
  [['query', question, '-c', 'tiny.yaml'], 'no method is named: give one of the config with --method LABEL'],
])('%j: %s', async ([command = '', ...args], said) => {
  const project = await tinyProject()
  expect(await gembench(project, command, ...args)).toBe(2)
  expect(printed.err).toContain(said)
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
      methods: ['oracle', 'closed-book', 'full-context', 'bm25', 'hlgraphrag'],
      scorers: undefined,
      dataset: { use: 'cmu-dog', path: films, options: { unit: 'turn', history: 2 } },
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
