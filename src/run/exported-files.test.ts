import { parquetReadObjects } from 'hyparquet'
import { expect, test } from 'vitest'
import { madeRun } from '../test-support/made-run.ts'
import { parquetFiles } from './exported-files.ts'

async function* stream<T>(lines: readonly T[]): AsyncGenerator<T> {
  yield* lines
}

const read = async (content: string | Uint8Array): Promise<readonly Record<string, unknown>[]> =>
  parquetReadObjects({ file: new Uint8Array(Buffer.from(content)).buffer })

test('a trial and a score that failed and were made good later have a row each', async () => {
  const first = madeRun({ rows: { a: { q0: 'trial failed', q1: 'score failed', q2: 'trial failed' } } })
  const later = madeRun({ rows: { a: { q0: [0, 1], q1: 1 } } })
  const files = await parquetFiles(first.manifest, {
    trials: () => stream([...first.trials, ...later.trials]),
    scores: () => stream([...first.scores, ...later.scores]),
  })
  const [trials = [], scores = []] = await Promise.all(files.map(({ content }) => read(content)))
  const failure = 'answer: the answer call was refused'
  expect(trials.map(({ question, answer, failure: why }) => [question, answer, why])).toEqual([
    ['q2', null, failure],
    ['q0', 'said', null],
    ['q1', 'said', null],
  ])
  const accuracies = scores.filter(({ metric }) => metric !== 'words')
  expect(
    accuracies.map(({ question, run, metric, value, failure: why }) => [question, run, metric, value, why]),
  ).toEqual([
    ['q0', 0, 'accuracy', 0, null],
    ['q0', 1, 'accuracy', 1, null],
    ['q1', 0, 'accuracy', 1, null],
  ])
})
