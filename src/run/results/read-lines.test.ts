import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderOf, jsonl } from '../../test-support/dataset-copies/write-files.ts'
import { scoreLine, trialLine } from '../../test-support/fake-run.ts'
import { faultyLines, readTrials, storedScores } from './read-lines.ts'

const trial = (question: string, text: string) => trialLine('a', question, { answer: { text } })
const score = (question: string, run: number, accuracy: number) =>
  scoreLine('a', question, { run, metrics: { accuracy } })

test('the last of several lines with one id counts, for trials and for scores', async () => {
  const trials = [trial('t', 'first'), trial('u', 'only'), trial('t', 'second'), trial('t', 'last')]
  const scores = [score('t', 0, 0), score('t', 1, 0.5), score('t', 0, 1)]
  const folder = folderOf({ 'trials.jsonl': `${jsonl(trials)}\n`, 'scores.jsonl': `${jsonl(scores)}\n` })
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
