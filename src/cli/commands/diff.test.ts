import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { madeRun, questionsWith, writeRun, type MadeRun } from '../../test-support/fake-run.ts'
import { gembench, type CliEnded, expectRefusal } from '../../test-support/cli.ts'
import { folderOf } from '../../test-support/dataset-copies/write-files.ts'

const folder = folderOf({})

const diff = (...args: readonly string[]): Promise<CliEnded> => gembench(folder, 'diff', ...args)

/** A run of one row in `results/`, of 40 questions of which those from `wrong` on are right. */
const makeRun = (name: string, wrong: number, more: Partial<MadeRun> = {}): Promise<string> =>
  writeRun(join(folder, 'results', name), {
    rows: { bm25: questionsWith(40, (index) => Number(index >= wrong)) },
    ...more,
  })

describe('the gate of gembench diff', () => {
  test('passes identical runs with exit code 0', async () => {
    await makeRun('same', 5)
    const result = await diff('same', 'same', '--fail-if', 'worse')
    expect(result.code).toBe(0)
    expect(result.err).toMatch(/^passed --fail-if worse: bm25: no difference shown; .*; without a margin .*\n$/)
    expect(result.out).toMatch(/^row +before +after +regressed +fixed +still failing +unchanged$/m)
    expect(result.out).toMatch(/^bm25 +87\.5 +87\.5 +0 +0 +5 +35$/m)
    expect(result.out).toContain('bm25: no difference shown; change +0.0 points')
  })

  test('fails a regression with exit code 4 with --fail-if worse only', async () => {
    await makeRun('good', 0)
    await makeRun('bad', 12)
    expect((await diff('good', 'bad')).code).toBe(0)
    const result = await diff('results/good', 'results/bad', '--fail-if', 'worse')
    expect(result.code).toBe(4)
    expect(result.err).toMatch(/^worse --fail-if worse: bm25: worse; change -30\.0 points .*\n$/)
    expect(result.out).toContain('bm25: worse; change -30.0 points')
    expect(result.out).toContain('2 more questions with a change: --all')
    const json = await diff('good', 'bad', '--fail-if', 'worse', '--json')
    expect(json.code).toBe(4)
    expect(JSON.parse(json.out)).toMatchObject({
      metric: 'accuracy',
      rows: [{ verdict: 'worse', counts: { regressed: 12 } }],
    })
    expect((await diff('bad', 'good', '--fail-if', 'worse')).code).toBe(0)
  })

  test('ends with 0, 4, or with 6 if the margin is undecided, and prints the questions needed', async () => {
    await makeRun('slightly', 2)
    const outcomeWith = async (margin: string) => {
      const { code, err } = await diff('good', 'slightly', '--fail-if', 'worse', '--margin', margin)
      return [
        code,
        err.split(' --fail-if')[0],
        / about [\d,]+ questions would show that a row did not change/.test(err),
      ]
    }
    expect(await outcomeWith('.03')).toEqual([6, 'not determined', true])
    expect(await outcomeWith('.2')).toEqual([0, 'passed', true])
    expect((await diff('good', 'bad', '--fail-if', 'worse', '--margin', '.03')).code).toBe(4)
    expect((await diff('good', 'bad', '--margin', '3')).err).toContain("'--margin <fraction>' argument '3'")
  })

  test('ends with exit code 2 and one line when nothing can be concluded', async () => {
    await makeRun('clustered', 12, { clusters: questionsWith(40, (index) => `story ${index % 3}`) })
    const few = await diff('clustered', 'clustered', '--fail-if', 'worse')
    expect(few.code).toBe(2)
    expect(few.err).toContain('bm25: no verdict: no test can reach p = 0.05 with 3 clusters of questions')
    expect(few.out).toMatch(/^bm25 +70\.0 +70\.0 +0 +0 +12 +28$/m)
    await makeRun('base', 0)
    const { dataset } = madeRun({ rows: {} }).manifest
    await makeRun('renamed', 12, { manifest: { dataset: { ...dataset, name: 'other' } } })
    const refusal = await diff('base', 'renamed', '--fail-if', 'worse')
    expect(refusal.code).toBe(2)
    expect(refusal.err).toBe('error --fail-if worse: the datasets differ: toy and other\n')
    expect(refusal.out).toMatch(/^bm25 +– +– +12 +0 +0 +28$/m)
    expect(refusal.out).toContain('The runs differ in: dataset.name toy → other.')
  })

  test('ends with exit code 3 when trials failed only in the second run', async () => {
    await makeRun('whole', 0)
    const rows = { bm25: { ...questionsWith(40, () => 1), q7: 'trial failed' } } as const
    await makeRun('broken', 0, { rows })
    const result = await diff('whole', 'broken', '--fail-if', 'worse')
    expect(result).toMatchObject({
      code: 3,
      err: 'incomplete --fail-if worse: bm25: 1 question failed in the second run only\n',
    })
    expect(result.out).toMatch(/^failed now +1 → – +q7$/m)
    expect(result.out).toMatch(/^after +failed: answer: the answer call was refused$/m)
  })
})

describe('the output of gembench diff', () => {
  test('prints both answers within the width, and escapes control characters of texts', async () => {
    const hostile = `\u001b[31mred\u0007 ${'word '.repeat(60)}${'日本'.repeat(60)}`
    await makeRun('before', 0, { texts: { q0: `What\u001b[2J?` }, answer: hostile })
    await makeRun('after', 1, { texts: { q0: `What\u001b[2J?` }, answer: 'short' })
    const { out } = await diff('before', 'after')
    expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
    expect(out).toMatch(/^regressed +1 → 0 +q0$/m)
    expect(out).toMatch(/^question {2}What \[2J\?$/m)
    expect(out).toMatch(/^right {5}right of q0$/m)
    expect(out).toMatch(/^before {4} ?\[31mred word/m)
    expect(out).toMatch(/^after {5}short$/m)
    const wide = out.split('\n').filter((line) => line.includes('日本'))
    expect(wide.length).toBeGreaterThan(2)
    for (const line of wide)
      expect(Array.from(line, (sign) => (sign > '\u2fff' ? 2 : 1)).reduce((a, b) => a + b, 0)).toBeLessThan(101)
  })

  test('--limit and --all limit the questions; --json contains all changed ones', async () => {
    const outputOf = async (...args: string[]) =>
      [...(await diff('good', 'bad', ...args)).out.matchAll(/^regressed/gm)].length
    expect([await outputOf(), await outputOf('--limit', '3'), await outputOf('--all')]).toEqual([10, 3, 12])
    const { rows } = JSON.parse((await diff('bad', 'bad', '--json')).out) as { rows: { questions: object[] }[] }
    expect(rows[0]?.questions).toHaveLength(40)
    const trial = { repeat: 0, stopped: 'end', answer: { text: 'said' }, scores: [{ scorer: 'accuracy' }] }
    expect(rows[0]?.questions[0]).toMatchObject({
      id: 'q0',
      change: 'stillFailing',
      before: 0,
      after: 0,
      question: 'Text of q0',
      reference: { kind: 'answer', accepted: [{ text: 'right of q0' }] },
      trials: { before: [trial], after: [trial] },
    })
    expect(rows[0]?.questions[39]).toEqual({ id: 'q39', change: 'unchanged', before: 1, after: 1 })
  })

  test('compares two rows of one folder whose names contain #', async () => {
    const rows = { x: questionsWith(40, () => 1), 'y#2': questionsWith(40, () => 0) }
    await makeRun('two', 0, { rows })
    await makeRun('issue #7', 0, { rows })
    for (const name of ['two', 'issue #7']) {
      const result = await diff(`${name}#x`, `${name}#y#2`, '--fail-if', 'worse')
      expect(result.code).toBe(4)
      expect(result.out).toMatch(/^x → y#2: worse; /m)
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
])('%j is refused in one line with exit code 2', async (args, message) => {
  await makeRun('good', 0)
  await makeRun('bad', 12)
  await makeRun('damaged', 0)
  await writeFile(join(folder, 'results', 'damaged', 'trials.jsonl'), '{\n{}\n')
  await makeRun('edited', 0)
  await writeFile(join(folder, 'results', 'edited', 'trials.jsonl'), '{"line":"index"}\n')
  const old = join(await makeRun('old-format', 0), 'manifest.json')
  await writeFile(old, (await readFile(old, 'utf8')).replace('"format":3', '"format":1'))
  await expectRefusal(diff(...args), message)
})
