import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, test } from 'vitest'
import { gembench, type CliEnded, expectRefusal, resultsOf } from '../../test-support/cli.ts'
import { tinyProject } from '../../test-support/tiny.ts'

const question = 'Who built the mill at Orrin?'

test.each([
  [
    ['query', question, '-m', 'bm25'],
    'no config: give a config with -c FILE, or write gembench.yaml with "gembench init"\n',
  ],
  [['query', question, '-c', 'tiny.yaml'], "required option '-m, --method <label>' not specified"],
])('refuses %j: %s', async (args, message) => {
  expect(await gembench(await tinyProject(), ...args)).toMatchObject({ code: 2, err: expect.stringContaining(message) })
})

describe('gembench query with the id of a question', () => {
  const ask = (id: string, method: string, ...args: readonly string[]): Promise<CliEnded> =>
    gembench(project, 'query', id, '-c', 'tiny.yaml', '-m', method, ...args)
  let project = ''
  beforeEach(async () => {
    project = await tinyProject({ methods: ['bm25', 'oracle'] })
  })

  test('shows the reference answer and evidence, and retrieves as a run does', async () => {
    const { code, out } = await ask('oven', 'bm25')
    expect(code).toBe(0)
    expect(out).toMatch(
      /^question {2}Where did the oven[^]*\noptions {3}1\. To Orrin\n[^]*\nright {5}2\. To a museum in Lisk\nevidence {2}the-mill: /,
    )
    expect(out).toMatch(/\n\n1\. the-mill {2}score .* tokens {2}holds evidence \d/)
    expect(out).toMatch(/\nanswer .* \(option \d\)\n$/)
    const trials = (await readFile(join(project, await resultsOf(project), 'trials.jsonl'), 'utf8')).trim().split('\n')
    const trial = trials.map((line) => JSON.parse(line) as TrialLine).find((item) => item.question?.id === 'oven')
    expect(JSON.parse((await ask('oven', 'bm25', '--json')).out)).toMatchObject({
      question: { id: 'oven' },
      answer: trial?.answer,
      // the text of a passage stands in passages.jsonl, by its digest
      passages: trial?.context?.map(({ from, score }) => ({ from, score })),
    })
  })

  test('gives the evidence to a method that needs it, and refuses a free question', async () => {
    expect((await ask('builder', 'oracle')).out).toContain('holds evidence 1')
    await expectRefusal(ask('Who built it?', 'oracle'), 'name another method, or a question of the dataset by its id')
  })

  test('takes a word that is not an id as a question, with a note', async () => {
    const { code, err } = await ask('biulder', 'bm25')
    expect(code).toBe(0)
    expect(err).toContain('note: no question has the id "biulder", so it was taken as a question\n')
    for (const question of ['Who built it?', 'builder'])
      expect(await ask(question, 'bm25')).toMatchObject({ code: 0, err: expect.not.stringContaining('note:') })
  })

  test('an empty question is refused', async () => {
    const err = 'error the question is empty; write gembench query "the question"\n'
    expect(await ask('  ', 'bm25')).toEqual({ code: 2, out: '', err })
  })
})

interface TrialLine {
  readonly question?: { readonly id: string }
  readonly answer?: unknown
  readonly context?: readonly { readonly from: readonly string[]; readonly score: number }[]
}

describe('gembench query --prompt', () => {
  const films = fileURLToPath(new URL('../../../datasets/sample-films', import.meta.url))

  async function ask(method: string, ...more: readonly string[]): Promise<CliEnded> {
    const project = await tinyProject({
      methods: ['oracle', 'closed-book', 'full-context', 'bm25', 'hlgraphrag'],
      scorers: undefined,
      dataset: { use: 'cmu-dog', path: films, options: { unit: 'turn', history: 2 } },
    })
    return gembench(project, 'query', ...more, '-c', 'tiny.yaml', '-m', method)
  }
  const id = 'eb81f53def1b0f43854a8ac99f875d3574db233d:4'

  test.each(['oracle', 'closed-book', 'full-context', 'bm25', 'hlgraphrag'])(
    '%s puts the history of a turn into its prompt',
    async (method) => {
      const { out } = await ask(method, id, '--prompt')
      expect(out).toMatch(/You are user2 in a conversation with user1\./)
      expect(out).toContain(
        'The conversation so far:\nuser1: Is it a film for children?\nuser2: Yes, a family film from 2003',
      )
      expect(out).toContain('user\nuser1: Where does it play?')
      expect(out.includes('Context:')).toBe(['oracle', 'full-context', 'hlgraphrag'].includes(method))
    },
  )
})
