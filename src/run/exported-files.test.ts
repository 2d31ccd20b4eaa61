import { parquetReadObjects } from 'hyparquet'
import { expect, test } from 'vitest'
import { madeRun } from '../test-support/fake-run.ts'
import { parquetFiles } from './exported-files.ts'

async function* stream<T>(lines: readonly T[]): AsyncGenerator<T> {
  yield* lines
}

const read = async (content: string | Uint8Array): Promise<readonly Record<string, unknown>[]> =>
  parquetReadObjects({ file: new Uint8Array(Buffer.from(content)).buffer })

test('every trial has a row with its metrics or the reason why they are missing', async () => {
  const { manifest, trials, scores } = madeRun({
    rows: { a: { q0: [0, 1], q1: 1, q2: 'trial failed', q3: 'score failed' } },
  })
  const files = await parquetFiles(manifest, { trials: () => stream(trials), scores: () => stream(scores) })
  const [trialRows = [], scoreRows = []] = await Promise.all(files.map(({ content }) => read(content)))
  expect(trialRows.map(({ question, answer, failure }) => [question, answer, failure])).toEqual([
    ['q0', 'said', null],
    ['q1', 'said', null],
    ['q2', null, 'answer: the answer call was refused'],
    ['q3', 'said', null],
  ])
  const accuracies = scoreRows.filter(({ metric }) => metric !== 'words')
  expect(accuracies.map(({ question, run, metric, value }) => [question, run, metric, value])).toEqual([
    ['q0', 0, 'accuracy', 0],
    ['q0', 1, 'accuracy', 1],
    ['q1', 0, 'accuracy', 1],
    ['q3', 0, null, null],
  ])
  expect(accuracies.filter(({ failure }) => failure !== null).map(({ question }) => question)).toEqual(['q3'])
})
