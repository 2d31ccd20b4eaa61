import { expect, test } from 'vitest'
import { readResults } from '../../test-support/read-results.ts'
import { fakeServer, type Behaviour } from '../../test-support/servers/server.ts'
import { tinyPlan, tinyProject, tinySettings } from '../../test-support/tiny.ts'
import { run } from '../run.ts'

/**
 * Runs a row of 36 trials against a server; gives their failures and how many calls were sent after the try of the
 * model.
 */
async function ran(concurrency: number, behave: (index: number) => Behaviour) {
  const server = await fakeServer({ behave: (_hit, index) => behave(index - 1) })
  const complete = { use: 'openai', model: 'm', baseUrl: server.url, concurrency }
  const models = { complete, embed: 'fake' }
  const project = await tinyProject({ methods: ['bm25'], models, repeats: 12, concurrency })
  const { folder } = await run(await tinyPlan(project), tinySettings(project))
  await server.close()
  return { failures: (await readResults(folder)).trials.map(({ failure }) => failure), calls: server.hits.length - 1 }
}

test('stops asking a system after 20 unusable replies, at any concurrency', async () => {
  const [item, many] = [await ran(1, () => ({ reply: '' })), await ran(64, () => ({ reply: '' }))]
  expect(many.failures).toEqual(item.failures)
  expect(item.failures).toHaveLength(36)
  for (const [at, failure] of item.failures.entries()) {
    expect(failure?.kind).toBe('reply')
    expect(failure?.message.includes('not asked, since the first 20')).toBe(at >= 20)
  }
  // each with its repair
  expect([item.calls, many.calls]).toEqual([40, 40])
})
