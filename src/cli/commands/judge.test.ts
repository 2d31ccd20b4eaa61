import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { tinyProject } from '../../test-support/tiny.ts'
import { gembench, expectRefusal, resultsOf } from '../../test-support/cli.ts'

let project: string
let run: string
beforeAll(async () => {
  project = await tinyProject({
    methods: ['bm25', 'vector', 'oracle'],
    scorers: ['faithfulness', 'factual-correctness', 'qasper-f1'],
  })
  // 24 questions of one text, a name each
  const questions = Array.from({ length: 24 }, (_, i) =>
    JSON.stringify({
      id: `q${i}`,
      kind: 'answer',
      question: `=Who built the mill at Orrin, ${i}?`,
      accepted: [{ text: 'Tamsin Vale', type: 'extractive' }],
      evidence: [{ document: 'the-mill', paragraph: 'The mill at Orrin was built' }],
    }),
  )
  await writeFile(join(project, 'data', 'questions.jsonl'), `${questions.join('\n')}\n`)
  run = await resultsOf(project)
})

const sample = (...more: string[]) => gembench(project, 'judge', 'sample', run, ...more)

test('draws a sample of answers and checks the judge against its labels', async () => {
  const drawn = await sample('--scorer', 'factual-correctness', '-o', 'fc.csv')
  expect(drawn).toMatchObject({ code: 0, err: '' })
  expect(drawn.out).toMatch(/^wrote fc\.csv: \d+ different answers of 3 rows to 24 questions, .* \(seed 42\)\n/)
  expect(drawn.out).toContain(`Next: npx gembench judge check ${run} fc.csv`)
  const text = await readFile(join(project, 'fc.csv'), 'utf8')
  expect(text).toMatch(/^\uFEFFid,scorer,question,answer,reference,verdict\n/)
  expect(text).toContain(`'=Who built`)
  expect(text).not.toMatch(/bm25|vector|oracle/)
  // a person finds every third answer wrong
  let line = 0
  await writeFile(
    join(project, 'filled.csv'),
    text.replace(/,\n/g, () => `,${line++ % 3 === 0 ? 'no' : 'yes'}\n`),
  )
  const check = await gembench(project, 'judge', 'check', run, 'filled.csv')
  expect(check).toMatchObject({ code: 0, err: '' })
  expect(check.out).toMatch(/^factual-correctness, factualCorrectness: \d+ labelled answers to 24 questions/)
  expect(check.out).toMatch(/^difference, judge minus human /m)
  expect(check.out).toMatch(/^method +judge +questions +labelled +human +corrected +95 % interval/m)
  expect(check.out).toMatch(/^bm25 +100\.0 +24 +24 +\S+ +\S+ ±\S+ +\S+ to \S+/m)
  const json = await gembench(project, 'judge', 'check', run, 'filled.csv', '--json')
  expect(JSON.parse(json.out)).toMatchObject({
    scorer: 'factual-correctness',
    rows: expect.any(Array),
  })
  const table = async (...more: string[]) =>
    (await gembench(project, 'table', run, '--labels', 'filled.csv', ...more)).out
  expect(await table()).toMatch(
    /\| factual correctness, corrected \| +factual correctness, judge \| +direction-consistent \| +\S+ F1 /,
  )
  expect(await table()).toMatch(/\| bm25 +\|( +[\d.]+( ±[\d.]+)?( [a-z]+)? \|){3}/)
  expect(await table('--full')).toContain('labels of 24 questions per row')
  expect((await table('--format', 'csv')).split('\n')[0]).toMatch(
    /,labelled,human,corrected,correctedError,correctedLow,correctedHigh$/,
  )
  expect(await table('--format', 'latex')).toContain('& factual correctness, corrected & factual correctness, judge ')
  expect(JSON.parse(await table('--format', 'json'))).toMatchObject({
    cells: expect.arrayContaining([expect.objectContaining({ people: expect.objectContaining({ labelled: 24 }) })]),
  })
  expect((await gembench(project, 'table', run)).out).not.toContain('corrected')
  await expectRefusal(gembench(project, 'table', run, run, '--labels', 'filled.csv'), 'name one run')
  const second = ['--metric', 'recall', '--scorer', 'factual-correctness']
  expect((await gembench(project, 'judge', 'check', run, 'filled.csv', ...second)).out).toMatch(
    /^factual-correctness, recall: /,
  )
})

test('includes passages for judges that read them and never overwrites a file', async () => {
  const drawn = await sample('--size', '5')
  expect(drawn.err).toContain('are too few for a conclusion. Draw at least 20 with --size')
  const text = await readFile(join(project, 'labels.csv'), 'utf8')
  expect(text).toMatch(/^\uFEFFid,scorer,question,answer,reference,context,verdict\n/)
  expect(text).toContain('faithfulness')
  await expectRefusal(sample(), 'error labels.csv: exists and may hold labels; name another file with --output\n')
  expect(await readFile(join(project, 'labels.csv'), 'utf8')).toBe(text)
})

test.each([
  [['sample', 'nothing', '-o', 'x.csv'], 'nothing: is not a results folder'],
  [['sample', 'RUN', '--scorer', 'faithfulnes', '-o', 'x.csv'], 'did you mean "faithfulness"'],
  [['sample', 'RUN', '--scorer', 'qasper-f1', '-o', 'x.csv'], 'the scorer "qasper-f1" asks no judge'],
  [['sample', 'RUN', '-o', 'none/x.csv'], "ENOENT: no such file or directory, open 'none/x.csv'"],
  [['sample', 'RUN', '--size', '0'], 'whole number'],
  [['sample', 'RUN', '--seed', '-1'], 'whole number'],
  [['check', 'RUN', 'gone.csv'], 'cannot read gone.csv'],
  [['check', 'RUN', 'tiny.yaml'], 'malformed CSV'],
])('%j is refused in one line with exit code 2', (args, message) =>
  expectRefusal(gembench(project, 'judge', ...args.map((arg) => (arg === 'RUN' ? run : arg))), message),
)
