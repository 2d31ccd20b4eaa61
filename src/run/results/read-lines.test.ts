import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { faultyLines, readTrials, storedScores } from './read-lines.ts'

let folder: string
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'gembench-lines-'))))
afterAll(() => rm(folder, { recursive: true }))

const usage = { calls: 0, promptTokens: 0, completionTokens: 0, embeddedTokens: 0, estimated: 0 }
const row = { method: 'bm25', variant: '', methodId: 'a', corpus: 'c', repeat: 0 }
const question = { id: 'q', text: 'Q?', reference: { kind: 'answer', accepted: [{ text: 'A' }] } }
const trial = (id: string, text: string) => ({
  line: 'trial',
  id,
  ...row,
  question,
  context: [],
  stopped: 'end',
  answer: { text },
  usage: { retrieve: usage, answer: usage },
})
const score = (id: string, run: number, accuracy: number) => ({
  trial: id,
  question: 'q',
  method: 'bm25',
  variant: '',
  methodId: 'a',
  repeat: 0,
  scorer: 's',
  scorerId: 's',
  run,
  subsets: [],
  metrics: { accuracy },
  usage,
})

const write = (name: string, lines: readonly object[]): Promise<void> =>
  writeFile(join(folder, name), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))

test('the last of several lines with one id counts, for trials and for scores', async () => {
  await write('trials.jsonl', [trial('t', 'first'), trial('u', 'only'), trial('t', 'second'), trial('t', 'last')])
  await write('scores.jsonl', [score('t', 0, 0), score('t', 1, 0.5), score('t', 0, 1)])
  const answers: (string | undefined)[] = []
  for await (const line of readTrials(folder)) if (line.line === 'trial') answers.push(line.answer?.text)
  expect(answers).toEqual(['only', 'last'])
  const values: unknown[] = []
  for await (const { value } of storedScores(join(folder, 'scores.jsonl'))) values.push([value.run, value.metrics])
  expect(values).toEqual([
    [1, { accuracy: 0.5 }],
    [0, { accuracy: 1 }],
  ])
  expect(await faultyLines(folder)).toEqual(['trials.jsonl:1', 'trials.jsonl:3', 'scores.jsonl:1'])
})
