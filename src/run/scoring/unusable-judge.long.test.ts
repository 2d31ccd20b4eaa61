import { expect, test } from 'vitest'
import { readResults } from '../../test-support/read-results.ts'
import { fakeServer } from '../../test-support/servers/server.ts'
import { tinyPlan, tinyProject, tinySettings } from '../../test-support/tiny.ts'
import { run } from '../run.ts'

/** Scores 24 answers by a judge; gives why scores failed, and how many calls were sent after the try of the model. */
async function judgedBy(concurrency: number) {
  const server = await fakeServer({ behave: () => ({ reply: 'I like mills.' }) })
  const judge = { use: 'openai', model: 'm', baseUrl: server.url, concurrency }
  const project = await tinyProject({
    models: { complete: 'extractive', embed: 'fake', judge },
    methods: ['bm25'],
    repeats: 12,
    concurrency,
    scorers: ['correct'],
    judgeRuns: 1,
  })
  const { folder } = await run(await tinyPlan(project), tinySettings(project))
  await server.close()
  const messages = (await readResults(folder)).scores.map(({ failure }) => failure?.message)
  return { messages, calls: server.hits.length - 1 }
}

const isNotAsked = (message: string | undefined): boolean =>
  message?.includes('not asked, since the first 20 replies of correct were refused') ?? false

test('stops calling a judge after 20 unusable replies, at any concurrency', async () => {
  const [one, many] = [await judgedBy(1), await judgedBy(64)]
  expect(one.messages.map(isNotAsked)).toEqual([...Array(20).fill(false), ...Array(4).fill(true)])
  expect(many.messages.filter(isNotAsked)).toHaveLength(4)
  // each with its repair
  expect([one.calls, many.calls]).toEqual([40, 40])
})
