import { expect, test } from 'vitest'
import { readResults } from '../../test-support/read-results.ts'
import { fakeServer } from '../../test-support/servers/server.ts'
import { tinyPlan, tinyProject, tinySettings } from '../../test-support/tiny.ts'
import { run } from '../run.ts'

/**
 * Runs a row of 36 trials against a server that gives one reply; gives the lines and how many calls were sent after the
 * try of the model.
 */
async function ran(role: 'complete' | 'judge', reply: string, concurrency: number) {
  const server = await fakeServer({ behave: () => ({ reply }) })
  const models = { complete: 'extractive', embed: 'fake' }
  const served = { use: 'openai', model: 'm', baseUrl: server.url, concurrency }
  const project = await tinyProject({
    models: { ...models, [role]: served },
    methods: ['bm25'],
    repeats: 12,
    concurrency,
    scorers: ['correct'],
    judgeRuns: 1,
  })
  const { folder } = await run(await tinyPlan(project), tinySettings(project))
  await server.close()
  return { ...(await readResults(folder)), calls: server.hits.length - 1 }
}

test('stops asking a system after 20 unusable replies, at any concurrency', async () => {
  const [item, many] = [await ran('complete', '', 1), await ran('complete', '', 64)]
  const failures = item.trials.map(({ failure }) => failure)
  expect(many.trials.map(({ failure }) => failure)).toEqual(failures)
  expect(failures).toHaveLength(36)
  for (const [at, failure] of failures.entries()) {
    expect(failure?.kind).toBe('reply')
    expect(failure?.message.includes('not asked, since the first 20')).toBe(at >= 20)
  }
  // each with its repair
  expect([item.calls, many.calls]).toEqual([40, 40])
})

test('stops calling a judge after 20 unusable replies to 24 answers, at any concurrency', async () => {
  const [one, many] = [await ran('judge', 'I like mills.', 1), await ran('judge', 'I like mills.', 64)]
  const notAsked = ({ scores }: typeof one) =>
    scores.map(({ failure }) => failure?.message.includes('not asked, since the first 20 replies of correct were'))
  expect(notAsked(one)).toEqual([...Array(20).fill(false), ...Array(4).fill(true)])
  expect(notAsked(many).filter(Boolean)).toHaveLength(4)
  // each with its repair
  expect([one.calls, many.calls]).toEqual([40, 40])
})
