import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { madeRun, questionsWith, writeRun, type MadeRun } from '../../test-support/made-run.ts'
import { gembench, type CliEnded } from '../../test-support/cli.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gembench-diff-'))
})

const diff = (...args: readonly string[]): Promise<CliEnded> => gembench(folder, 'diff', ...args)

/** A run of one row in `results/`, of 40 questions of which those from `wrong` on are right. */
const made = (name: string, wrong: number, more: Partial<MadeRun> = {}): Promise<string> =>
  writeRun(join(folder, 'results', name), {
    rows: { bm25: questionsWith(40, (index) => Number(index >= wrong)) },
    ...more,
  })

describe('the gate', () => {
  test('identical runs: exit code 0', async () => {
    await made('same', 5)
    const ended = await diff('same', 'same', '--fail-if', 'worse')
    expect(ended.code).toBe(0)
    expect(ended.err).toMatch(/^passed --fail-if worse: without a margin .*; bm25: no score of 40 questions differs\n$/)
    expect(ended.out).toMatch(/^row +before +after +regressed +fixed +still failing +unchanged$/m)
    expect(ended.out).toMatch(/^bm25 +87\.5 +87\.5 +0 +0 +5 +35$/m)
    expect(ended.out).toContain('bm25: no difference shown; change +0.0 points on 40 questions, p = 1.0000')
  })

  test('a regression: exit code 4 with --fail-if worse alone, in JSON too', async () => {
    await made('good', 0)
    await made('bad', 12)
    expect((await diff('good', 'bad')).code).toBe(0)
    const ended = await diff('results/good', 'results/bad', '--fail-if', 'worse')
    expect(ended).toMatchObject({
      code: 4,
      err: 'worse --fail-if worse: bm25: change -30.0 points on 40 questions\n',
    })
    expect(ended.out).toContain('bm25: worse; change −30.0 points')
    expect(ended.out).toContain('2 more questions with a change; --all shows every one')
    const json = await diff('good', 'bad', '--fail-if', 'worse', '--json')
    expect(json.code).toBe(4)
    expect(JSON.parse(json.out)).toMatchObject({
      metric: 'accuracy',
      rows: [{ verdict: 'worse', counts: { regressed: 12 } }],
    })
    expect((await diff('bad', 'good', '--fail-if', 'worse')).code).toBe(0)
  })

  test('with a margin: 0, 4, or 6 where it cannot be told, in a line with the questions that would tell', async () => {
    await made('slightly', 2)
    const told = async (margin: string) => {
      const { code, err } = await diff('good', 'slightly', '--fail-if', 'worse', '--margin', margin)
      return [
        code,
        err.split(' --fail-if')[0],
        / about [\d,]+ questions would show that a row did not change/.test(err),
      ]
    }
    expect(await told('.03')).toEqual([6, 'cannot be told', true])
    expect(await told('.2')).toEqual([0, 'passed', true])
    expect((await diff('good', 'bad', '--fail-if', 'worse', '--margin', '.03')).code).toBe(4)
    expect((await diff('good', 'bad', '--margin', '3')).err).toContain("'--margin <fraction>' argument '3'")
  })

  test('what cannot be concluded is one line and exit code 2, never 0; the counts are printed', async () => {
    await made('clustered', 12, { clusters: questionsWith(40, (index) => `story ${index % 3}`) })
    const few = await diff('clustered', 'clustered', '--fail-if', 'worse')
    expect(few).toMatchObject({
      code: 2,
      err: 'error --fail-if worse: bm25 has no verdict: no test can reach p = 0.05 with 3 clusters of questions\n',
    })
    expect(few.out).toMatch(/^bm25 +70\.0 +70\.0 +0 +0 +12 +28$/m)
    await made('base', 0)
    const { dataset } = madeRun({ rows: {} }).manifest
    await made('elsewhere', 12, { manifest: { dataset: { ...dataset, checksum: 'c'.repeat(64) } } })
    const other = await diff('base', 'elsewhere', '--fail-if', 'worse')
    expect(other.code).toBe(4)
    expect(other.out).toMatch(/^bm25 +100\.0 +70\.0 +12 +0 +0 +28$/m)
    expect(other.out).toContain('The files of the dataset differ. A run does not record its documents.')
    await made('renamed', 12, { manifest: { dataset: { ...dataset, name: 'other' } } })
    const refused = await diff('base', 'renamed', '--fail-if', 'worse')
    expect(refused.code).toBe(2)
    expect(refused.err).toBe('error --fail-if worse: bm25 has no verdict: the datasets differ: toy and other\n')
    expect(refused.out).toMatch(/^bm25 +– +– +12 +0 +0 +28$/m)
    expect(refused.out).toContain('The runs differ in: dataset.name toy → other.')
  })

  test('trials that failed only now: exit code 3, with the reason beside the question', async () => {
    await made('whole', 0)
    const rows = { bm25: { ...questionsWith(40, () => 1), q7: 'trial failed' } } as const
    await made('broken', 0, { rows })
    const ended = await diff('whole', 'broken', '--fail-if', 'worse')
    expect(ended).toMatchObject({
      code: 3,
      err: 'incomplete --fail-if worse: bm25: 1 question failed in the second run only\n',
    })
    expect(ended.out).toMatch(/^failed now +1 → – +q7$/m)
    expect(ended.out).toMatch(/^said +failed: the answer call was refused$/m)
  })
})

describe('what is shown', () => {
  test('answers side by side within the width; nothing in a text reaches the terminal as a command', async () => {
    const hostile = `\u001b[31mred\u0007 ${'word '.repeat(60)}${'日本'.repeat(60)}`
    await made('before', 0, { texts: { q0: `What\u001b[2J?` }, answer: hostile })
    await made('after', 1, { texts: { q0: `What\u001b[2J?` }, answer: 'short' })
    const { out } = await diff('before', 'after')
    expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
    expect(out).toMatch(/^regressed +1 → 0 +q0$/m)
    expect(out).toMatch(/^question {2}What \[2J\?$/m)
    expect(out).toMatch(/^right {5}right of q0$/m)
    expect(out).toMatch(/^before +after$/m)
    expect(out).toMatch(/^ ?\[31mred .* {2}short$/m)
    const wide = out.split('\n').filter((line) => line.includes('日本'))
    expect(wide.length).toBeGreaterThan(3)
    for (const line of wide)
      expect(Array.from(line, (sign) => (sign > '\u2fff' ? 2 : 1)).reduce((a, b) => a + b, 0)).toBeLessThan(101)
  })

  test('nor does anything in the name of a row', async () => {
    await made('named', 0, { rows: { 'x\u001b[2J': questionsWith(2, () => 1) } })
    const ended = await Promise.all([diff('named', 'named'), diff('named#y', 'named')])
    for (const { out, err } of ended) expect(out + err).not.toContain('\u001b')
    expect(ended.map(({ code }) => code)).toEqual([0, 2])
  })

  test('--limit and --all bound the questions; --json has the texts of all that did not stay right', async () => {
    const shown = async (...args: string[]) =>
      [...(await diff('good', 'bad', ...args)).out.matchAll(/^regressed/gm)].length
    expect([await shown(), await shown('--limit', '3'), await shown('--all')]).toEqual([10, 3, 12])
    const { rows } = JSON.parse((await diff('bad', 'bad', '--json')).out) as { rows: { questions: object[] }[] }
    expect(rows[0]?.questions).toHaveLength(40)
    expect(rows[0]?.questions[0]).toEqual({
      id: 'q0',
      change: 'stillFailing',
      before: 0,
      after: 0,
      question: 'Text of q0',
      reference: { kind: 'answer', accepted: [{ text: 'right of q0' }] },
      outcomes: {
        before: { repeats: [{ repeat: 0, stopped: 'end', answer: { text: 'said' } }], withoutScore: [] },
        after: { repeats: [{ repeat: 0, stopped: 'end', answer: { text: 'said' } }], withoutScore: [] },
      },
    })
    expect(rows[0]?.questions[39]).toEqual({ id: 'q39', change: 'unchanged', before: 1, after: 1 })
  })

  test('two rows of one folder, whose name may hold a #', async () => {
    const rows = { x: questionsWith(40, () => 1), 'y#2': questionsWith(40, () => 0) }
    await made('two', 0, { rows })
    await made('issue #7', 0, { rows })
    for (const name of ['two', 'issue #7']) {
      const ended = await diff(`${name}#x`, `${name}#y#2`, '--fail-if', 'worse')
      expect(ended.code).toBe(4)
      expect(ended.out).toMatch(/^x → y#2: worse; /m)
    }
  })
})

test.each([
  [['good', 'bad#bm52'], 'bad: unknown row "bm52"; did you mean "bm25"?'],
  [['good#bm52', 'none'], 'none: is not a results folder'],
  [['good', 'bad', '--metric', 'accuracy.acuracy'], 'did you mean "accuracy.accuracy"?'],
  [['good', 'bad', '--metric', 'accuracy.words'], 'has no better direction'],
  [['good', 'bad', '--fail-if', 'wrose'], 'Allowed choices are worse'],
  [['old-format', 'bad'], 'results format 1'],
  [['damaged', 'bad'], 'trials.jsonl:1: is not a line of JSON'],
  [['edited', 'bad'], 'trials.jsonl:1: "id" is missing; the file is damaged or was edited by hand'],
])('%j: one line, exit code 2', async (args, said) => {
  await made('good', 0)
  await made('bad', 12)
  await made('damaged', 0)
  await writeFile(join(folder, 'results', 'damaged', 'trials.jsonl'), '{\n{}\n')
  await made('edited', 0)
  await writeFile(join(folder, 'results', 'edited', 'trials.jsonl'), '{"line":"index"}\n')
  const old = join(await made('old-format', 0), 'manifest.json')
  await writeFile(old, (await readFile(old, 'utf8')).replace('"format":3', '"format":1'))
  const ended = await diff(...args)
  expect(ended).toMatchObject({ code: 2, out: '' })
  expect(ended.err).toContain(said)
  expect(ended.err).not.toContain('    at ')
})
