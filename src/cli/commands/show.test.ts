import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { writeRun } from '../../test-support/fake-run.ts'
import { tinyProject } from '../../test-support/tiny.ts'
import { fail } from '../main.ts'
import { parse } from '../program.ts'
import { captureOutput } from '../../test-support/capture-output.ts'

const output = captureOutput()
afterEach(() => {
  process.exitCode = 0
})

/** The exit code of a command. */
const gembench = (...args: readonly string[]): Promise<number> =>
  parse('0.0.0', args).then(
    () => 0,
    (error: unknown) => fail(error),
  )

/** The folder of a real run of two rows. */
async function run(): Promise<string> {
  const project = await tinyProject({ methods: ['bm25', 'closed-book'] })
  const where = ['--results', join(project, 'results'), '--cache-folder', join(project, 'cache')]
  await gembench('run', '-c', join(project, 'tiny.yaml'), '--json', ...where)
  const { folder } = JSON.parse(output.out) as { folder: string }
  output.out = ''
  return folder
}

/** Three questions of two rows: both the same, different, and failed in one row. */
const makeRun = async (): Promise<string> =>
  writeRun(join(await mkdtemp(join(tmpdir(), 'gembench-show-')), 'made'), {
    rows: {
      a: { one: 1, two: 1, three: 'trial failed', four: 'score failed' },
      b: { one: 1, two: 0, three: 1, four: [1, 1] },
    },
    texts: { one: 'Who was first?', two: 'Who was second?' },
  })

describe('gembench show', () => {
  test('shows a question with reference answer, evidence, and all rows with context, answer and scores', async () => {
    const folder = await run()
    expect(await gembench('show', folder, 'oven')).toBe(0)
    expect(output.out).toContain('question  Where did the oven of the miller go in the end?\n')
    expect(output.out).toMatch(/\noptions {3}1\. To Orrin\n {10}2\. To a museum in Lisk\n/)
    expect(output.out).toMatch(/\nright {5}2\. To a museum in Lisk\n/)
    expect(output.out).toMatch(/\nevidence {2}the-mill: When the weir broke in 1903/)
    expect(output.out).toMatch(/\ntags {6}hard\n/)
    expect(output.out).toMatch(/\n {5}matched: \w/)
    expect(output.out).toMatch(/\nbm25\n {2}answer {4}.* \(option \d\)\n {2}scores {4}accuracy: accuracy \d/)
    expect(output.out).toMatch(
      /\n {2}context {3}\d passages?, \d+ tokens\n {2}1\. the-(mill|bakery) {2}score .* {2}\d+ tokens {2}holds (\d+ % of )?evidence \d/,
    )
    expect(output.out).toMatch(
      /\nclosed-book\n[^]*retrieval: not scored: the method does not rank its context[^]*context {3}0 passages/,
    )
  })

  test('finds a question by its id, and refuses an unknown one with the nearest', async () => {
    const folder = await makeRun()
    expect(await gembench('show', folder, 'two')).toBe(0)
    expect(output.out).toMatch(/^two\nquestion {2}Who was second\?\nright {5}right of two\nevidence {2}none is named\n/)
    output.out = ''
    expect(await gembench('show', folder, 'threex')).toBe(2)
    expect(output.out).toBe('')
    expect(output.err).toContain('no question has the id "threex"; did you mean "three"?')
    expect(output.err.trimEnd().split('\n')).toHaveLength(1)
  })

  test('lists all questions with their ids without an argument', async () => {
    const folder = await makeRun()
    expect(await gembench('show', folder)).toBe(0)
    expect(output.out).toMatch(/^one {2}Who was first\?\ntwo {2}Who was second\?\n/)
    output.out = ''
    await gembench('show', folder, '--json')
    expect(JSON.parse(output.out)).toContainEqual({ id: 'two', text: 'Who was second?' })
  })

  const idsOf = (): readonly string[] =>
    (JSON.parse(output.out) as { question: { id: string } }[]).map(({ question }) => question.id)

  test('--failures: shows questions with a failed trial or score, with the reason', async () => {
    const folder = await makeRun()
    expect(await gembench('show', folder, '--failures', '--json')).toBe(0)
    expect(idsOf()).toEqual(['three', 'four'])
    output.out = ''
    await gembench('show', folder, '--failures', '--limit', '1')
    expect(output.out).toMatch(/\na\n {2}failed {4}answer: /)
    expect(output.out).toContain('1 more question; --limit shows more')
    output.out = ''
    await gembench('show', folder, '--failures', '--methods', 'b')
    expect(output.out).toBe('No trial and no score failed.\n')
  })

  test('--different: shows questions with different or missing scores between rows', async () => {
    const folder = await makeRun()
    expect(await gembench('show', folder, '--different', '--json')).toBe(0)
    expect(idsOf()).toEqual(['two', 'three', 'four'])
    output.out = ''
    await gembench('show', folder, '--different', '--metric', 'accuracy.accuracy', '--limit', '1')
    expect(output.out).toMatch(/^3 questions with different scores by accuracy\.accuracy\n/)
    expect(output.out).toMatch(/\na\n {2}answer {4}said\n {2}scores {4}accuracy: accuracy 1, words 12\n/)
  })

  test('--different accepts a metric without a better direction', async () => {
    const folder = await makeRun()
    await gembench('show', folder, '--different', '--metric', 'words')
    expect(output.out).toMatch(/^2 questions with different scores by accuracy\.words\n/)
  })

  test.each([
    [['--failures', '--different'], 'name one of: a question by its id, --failures, --different'],
    [['one', '--failures'], 'name one of'],
    [['one', '--metric', 'accuracy'], '--metric needs --different'],
    [['one', '--methods', 'c'], 'unknown row "c"'],
    [['--different', '--methods', 'a'], '--different needs at least two rows'],
    [['--different', '--metric', 'f1'], 'unknown metric "f1"'],
  ])('refuses %j: %s', async (args, message) => {
    expect(await gembench('show', await makeRun(), ...args)).toBe(2)
    expect(output.err).toContain(message)
    expect(output.err.trimEnd().split('\n')).toHaveLength(1)
  })
})
