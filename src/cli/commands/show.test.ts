import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { folderOf } from '../../test-support/dataset-copies/write-files.ts'
import { writeRun } from '../../test-support/fake-run.ts'
import { tinyProject } from '../../test-support/tiny.ts'
import { gembench, expectRefusal, resultsOf, type CliEnded } from '../../test-support/cli.ts'

/** Three questions of two rows: both the same, different, and failed in one row. */
const home = folderOf({})
beforeAll(() =>
  writeRun(join(home, 'made'), {
    rows: {
      a: { one: 1, two: 1, three: 'trial failed', four: 'score failed' },
      b: { one: 1, two: 0, three: 1, four: [1, 1] },
    },
    texts: { one: 'Who was first?', two: 'Who was second?' },
  }),
)
const show = (...args: readonly string[]): Promise<CliEnded> => gembench(home, 'show', 'made', ...args)

describe('gembench show', () => {
  test('shows a question with reference answer, evidence, and all rows with context, answer and scores', async () => {
    const project = await tinyProject({ methods: ['bm25', 'closed-book'] })
    const { code, out } = await gembench(project, 'show', await resultsOf(project), 'oven')
    expect(code).toBe(0)
    expect(out).toContain('question  Where did the oven of the miller go in the end?\n')
    expect(out).toMatch(/\noptions {3}1\. To Orrin\n {10}2\. To a museum in Lisk\n/)
    expect(out).toMatch(/\nright {5}2\. To a museum in Lisk\n/)
    expect(out).toMatch(/\nevidence {2}the-mill: When the weir broke in 1903/)
    expect(out).toMatch(/\ntags {6}hard\n/)
    expect(out).toMatch(/\n {5}matched: \w/)
    expect(out).toMatch(/\nbm25\n {2}answer {4}.* \(option \d\)\n {2}scores {4}accuracy: accuracy \d/)
    expect(out).toMatch(
      /\n {2}context {3}\d passages?, \d+ tokens\n {2}1\. the-(mill|bakery) {2}score .* {2}\d+ tokens {2}holds (\d+ % of )?evidence \d/,
    )
    expect(out).toMatch(
      /\nclosed-book\n[^]*retrieval: not scored: the method does not rank its context[^]*context {3}0 passages/,
    )
  })

  test('finds a question by its id, and refuses an unknown one with the nearest', async () => {
    const { code, out } = await show('two')
    expect(code).toBe(0)
    expect(out).toMatch(/^two\nquestion {2}Who was second\?\nright {5}right of two\nevidence {2}none is named\n/)
    await expectRefusal(show('threex'), 'no question has the id "threex"; did you mean "three"?')
  })

  test('lists all questions with their ids without an argument', async () => {
    expect((await show()).out).toMatch(/^one {2}Who was first\?\ntwo {2}Who was second\?\n/)
    expect(JSON.parse((await show('--json')).out)).toContainEqual({ id: 'two', text: 'Who was second?' })
  })

  const idsOf = ({ out }: CliEnded): readonly string[] =>
    (JSON.parse(out) as { question: { id: string } }[]).map(({ question }) => question.id)

  test('--failures: shows questions with a failed trial or score, with the reason', async () => {
    expect(idsOf(await show('--failures', '--json'))).toEqual(['three', 'four'])
    const { out } = await show('--failures', '--limit', '1')
    expect(out).toMatch(/\na\n {2}failed {4}answer: /)
    expect(out).toContain('1 more question; --limit shows more')
    expect((await show('--failures', '--methods', 'b')).out).toBe('No trial and no score failed.\n')
  })

  test('--different: shows questions with different or missing scores between rows', async () => {
    expect(idsOf(await show('--different', '--json'))).toEqual(['two', 'three', 'four'])
    const { out } = await show('--different', '--metric', 'accuracy.accuracy', '--limit', '1')
    expect(out).toMatch(/^3 questions with different scores by accuracy\.accuracy\n/)
    expect(out).toMatch(/\na\n {2}answer {4}said\n {2}scores {4}accuracy: accuracy 1, words 12\n/)
  })

  test('--different accepts a metric without a better direction', async () => {
    const { out } = await show('--different', '--metric', 'words')
    expect(out).toMatch(/^2 questions with different scores by accuracy\.words\n/)
  })

  test.each([
    [['--failures', '--different'], 'name one of: a question by its id, --failures, --different'],
    [['one', '--failures'], 'name one of'],
    [['one', '--metric', 'accuracy'], '--metric needs --different'],
    [['one', '--methods', 'c'], 'unknown row "c"'],
    [['--different', '--methods', 'a'], '--different needs at least two rows'],
    [['--different', '--metric', 'f1'], 'unknown metric "f1"'],
  ])('refuses %j: %s', async (args, message) => {
    await expectRefusal(show(...args), message)
  })
})
