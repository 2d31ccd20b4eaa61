import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { JudgeBench } from '../../records.ts'
import { gembench } from '../../test-support/cli.ts'
import { fakeServer } from '../../test-support/servers/server.ts'
import { tinyProject } from '../../test-support/tiny.ts'

const right = 'Tamsin Vale built the mill at Orrin in 1841.'
const wrong = 'Nobody remembers.'

/** Of every second pair the right answer stands second. */
const pairs = Array.from({ length: 24 }, (_, i) => ({
  ...{ instance_id: i >> 1, query: `Who built the mill at Orrin, ${i >> 1}?`, gt_answer: right },
  model1: { response: i & 2 ? wrong : right },
  model2: { response: i & 2 ? right : wrong },
  ...{ correctness_label: 0, completeness_label: 0, overall_label: i & 2 ? 2 : -1 },
}))

let project: string
beforeAll(async () => {
  project = await tinyProject({ methods: ['bm25'], scorers: ['factual-correctness', 'pairwise', 'faithfulness'] })
  await writeFile(join(project, 'pairs.json'), JSON.stringify(pairs))
  const csv = `question,context,answer,label\nWho?,${right},${right},yes\nWhen?,${right},Maud sold an oven.,no\n`
  await writeFile(join(project, 'answers.csv'), csv)
})

const bench = (...more: readonly string[]) => gembench(project, 'judge', 'bench', '-c', 'tiny.yaml', ...more)

const benchOf = async (file: string) => JSON.parse(await readFile(join(project, file), 'utf8')) as JudgeBench

const valueOf = ({ measures }: JudgeBench, name: string) => measures.find(({ measure }) => measure === name)?.value

test('a judge that tells right from wrong agrees with every pair; the file is the same when made again', async () => {
  const ended = await bench('--labels', 'pairs.json', '-o', 'fc.json')
  expect(ended).toMatchObject({ code: 0, err: '' })
  expect(ended.out).toMatch(
    /^factual-correctness, factualCorrectness, judged by extractive: 12 labelled pairs of pairs/,
  )
  expect(ended.out).toMatch(/^same preference +100\.0 +\S+ to 100\.0 +12$/m)
  expect(ended.out).toMatch(/^Calls: [\d,]+\. Tokens: /m)
  const found = await benchOf('fc.json')
  expect(found).toMatchObject({ judged: 12, failed: {}, labels: { file: 'pairs.json', kind: 'pairs' } })
  expect(['sensitivity', 'specificity'].map((name) => valueOf(found, name))).toEqual([1, 1])
  await bench('--labels', 'pairs.json', '-o', 'again.json', '--set', 'concurrency=1')
  expect(await readFile(join(project, 'again.json'), 'utf8')).toBe(await readFile(join(project, 'fc.json'), 'utf8'))
})

test('pairwise sees both orders, a call each; pairs are drawn at random', async () => {
  const args = ['--labels', 'pairs.json', '--scorer', 'pairwise', '--size', '5']
  const ended = await bench(...args, '-o', 'pw.json', '--json')
  const found = JSON.parse(ended.out) as JudgeBench
  expect(found).toMatchObject({ items: { labelled: 12, drawn: 5 }, usage: { calls: 10 } })
  expect(valueOf(found, 'positionBias')).toBeTypeOf('number')
  expect(await benchOf('pw.json')).toEqual(found)
  const other = await bench(...args, '--metric', 'ties', '-o', 'x.json')
  expect(other).toMatchObject({ code: 2, err: expect.stringContaining('ties: more of it is not better') })
})

test('a table cites the file where the judge is the same, and a run with another one refuses it', async () => {
  await bench('--labels', 'answers.csv', '--scorer', 'faithfulness', '-o', 'faith.json')
  const set = ['--set', 'judge.bench=[faith.json]', '--set', 'judgeRuns=1']
  const ended = await gembench(project, 'run', '-c', 'tiny.yaml', ...set, '--notes')
  expect(ended.code).toBe(0)
  const cited =
    'The judge of faithfulness (extractive) against the labels of people in answers.csv, faithfulness: same verdict 100.0 % (34.2 to 100.0, n = 2)'
  expect(ended.out).toContain(cited)
  const [folder = ''] = /results\/\S+-[0-9a-f]{8}/.exec(ended.out) ?? []
  await gembench(project, 'score', folder)
  expect((await gembench(project, 'table', folder, '--notes')).out).toContain(cited)
  const other = ['--set', 'scorers=[factual-correctness]']
  expect(await gembench(project, 'run', '-c', 'tiny.yaml', ...set, ...other)).toMatchObject({
    code: 2,
    err: expect.stringContaining('have another judge, version or options'),
  })
  const none = ['--set', 'judge.bench=answers.csv']
  expect(await gembench(project, 'plan', '-c', 'tiny.yaml', ...none)).toMatchObject({
    code: 2,
    err: expect.stringContaining('is no JSON'),
  })
})

/** One claim, which is found in the context; of the answer on the oven no verdict can be read. */
function replyTo(messages: string): string {
  if (messages.includes('take a text apart'))
    return JSON.stringify({ claims: [messages.includes('Text: Maud') ? 'oven' : 'mill'] })
  return messages.includes('oven')
    ? 'no idea'
    : JSON.stringify({ statements: [{ statement: '', reason: '', verdict: 1 }] })
}

test('calls that fail are counted, said and end with exit code 3', async () => {
  const server = await fakeServer({ behave: ({ body }) => ({ reply: replyTo(JSON.stringify(body['messages'])) }) })
  const set = ['--set', `models.judge={use: openai, baseUrl: ${server.url}, model: m}`]
  const args = ['--labels', 'answers.csv', '--scorer', 'faithfulness', '-o', 'failed.json', ...set]
  const ended = await bench(...args).finally(() => server.close())
  expect(ended.code).toBe(3)
  expect(ended.out).toMatch(/^Without a verdict: replies that could not be read 1\.$/m)
  expect(ended.out).toMatch(/^The first that failed: /m)
  expect(await benchOf('failed.json')).toMatchObject({ judged: 1, failed: { 'replies that could not be read': 1 } })
})

test.each([
  [['--labels', 'pairs.json', '--scorer', 'faithfulness'], 'it compares with passages, which the file does not hold'],
  [['--labels', 'answers.csv', '--scorer', 'pairwise'], 'it compares two answers, and the file labels single ones'],
  [['--labels', 'pairs.json', '--threshold', '.5'], 'a threshold is for labels of single answers'],
  [['--labels', 'answers.csv', '--columns', 'lable=x'], 'unknown column "lable"; did you mean "label"?'],
  [['--labels', 'answers.csv', '--columns', 'label'], 'expected column=NAME'],
  [['--labels', 'gone.csv'], 'gone.csv'],
  [['--labels', 'pairs.json', '-o', 'none/x.json'], 'cannot write none/x.json: there is no folder none'],
  [['--labels', 'pairs.json', '-o', 'tiny.yaml'], 'tiny.yaml exists already'],
])('%j is said in a line, exit code 2', async (args, said) => {
  const ended = await bench(...(args.includes('-o') ? args : [...args, '-o', 'new.json']))
  expect(ended).toMatchObject({ code: 2, out: '' })
  expect(ended.err).toContain(said)
  expect(ended.err).not.toContain('    at ')
})
