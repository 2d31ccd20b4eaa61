import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { IndexLine, TrialLine } from '../../records.ts'
import { fakeServer, type Behaviour } from '../../test-support/servers/server.ts'
import { tinyPlan, tinyProject, tinySettings } from '../../test-support/tiny.ts'
import { run } from '../run.ts'

/**
 * Runs a row of 36 trials against a server; gives its trials and how many calls were sent after the try of the model.
 */
async function ran(concurrency: number, behave: (index: number) => Behaviour) {
  const server = await fakeServer({ behave: (_hit, index) => behave(index - 1) })
  const complete = { use: 'openai', model: 'm', baseUrl: server.url, concurrency }
  const models = { complete, embed: 'fake' }
  const project = await tinyProject({ methods: ['bm25'], models, repeats: 12, concurrency })
  const { folder } = await run(await tinyPlan(project), tinySettings(project))
  await server.close()
  const text = await readFile(join(folder, 'trials.jsonl'), 'utf8')
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as IndexLine | TrialLine)
  return { trials: lines.flatMap((line) => (line.line === 'trial' ? [line] : [])), calls: server.hits.length - 1 }
}

const messages = (trials: readonly TrialLine[]) => trials.map(({ failure }) => failure?.message)

test('stops asking a system after 20 unusable replies, at any concurrency', async () => {
  const [item, many] = [await ran(1, () => ({ reply: '' })), await ran(64, () => ({ reply: '' }))]
  expect(messages(many.trials)).toEqual(messages(item.trials))
  expect(item.trials).toHaveLength(36)
  expect(item.trials.map(({ failure }) => failure?.message.includes('not asked, since the first 20'))).toEqual(
    item.trials.map((_, at) => at >= 20),
  )
  expect(item.trials.map(({ failure }) => failure?.kind)).toEqual(item.trials.map(() => 'reply'))
  // each with its repair
  expect([item.calls, many.calls]).toEqual([40, 40])
})

test('asks a system to the end if one of its first replies is usable', async () => {
  const { trials, calls } = await ran(1, (index) => ({ reply: index === 38 ? 'Tamsin Vale' : '' }))
  expect(messages(trials).filter((message) => message === undefined)).toHaveLength(1)
  expect(messages(trials).some((message) => message?.includes('not asked'))).toBe(false)
  expect(calls).toBe(2 * 36 - 1)
})
