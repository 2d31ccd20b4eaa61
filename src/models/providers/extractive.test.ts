import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { tasks } from '../../tasks/index.ts'
import { summarise } from '../../tasks/pieces.ts'
import { tokenizer } from '../../text/tokens.ts'
import { inputWith } from '../../test-support/task-inputs.ts'
import type { Task } from '../../types.ts'
import { taskCallOf } from '../calls/task-call.ts'
import type { Provider } from '../provider.ts'
import { extractive } from './extractive.ts'

let provider: Provider
const open = () => extractive.open(extractive.options.parse({}), { cacheFolder: '' })
beforeAll(async () => {
  provider = await open()
})

async function reply(name: string, input: unknown, from: Provider = provider): Promise<string> {
  const task = tasks.find((one) => one.name === name)!
  const request = taskCallOf(task as Task<unknown, unknown>, input, 0).request
  const completion = await from.complete!(request, new AbortController().signal)
  expect(completion).toEqual({ text: completion.text, finish: 'stop' })
  return completion.text
}

/** The reply as the seam would read it; throws where it does not conform. */
async function value(name: string, input: unknown): Promise<unknown> {
  const task = tasks.find((one) => one.name === name)!
  const text = await reply(name, input)
  return task.output.parse(task.reply === 'json' ? JSON.parse(text) : text)
}

const hard: Readonly<Record<string, string>> = {
  'one word': 'Lighthouse',
  contractions: 'The keeper said that he cannot. “I cant!” They dont, it isnt; we wont: (youve) theyre—weve.',
  'no verb': 'The old lamp of the lighthouse on the western cape',
  punctuation: '*** --- !!! ()[]{}',
  'odd characters': 'a\u0000b \uD800 \u200B <|endoftext|> 👩‍👩‍👧 ﷽',
  'constructor names': 'constructor toString __proto__ hasOwnProperty. The constructor is __proto__.',
  'a table': 'a,b,c\n1,2,3\n4,5,6\n- x\n- y\n',
  '20 000 words': 'The keeper of the old lighthouse rang the great bell in 1871 because fog came. '.repeat(1334),
  '20 000 words without an end': 'lamp keeper bell '.repeat(6667),
  'one long word': 'a'.repeat(20_000),
}

test.each(tasks)('answers the sample of $name deterministically', async ({ name, sample }) => {
  const first = await value(name, sample)
  expect(await value(name, sample)).toEqual(first)
  expect(await reply(name, sample, await open())).toBe(await reply(name, sample))
})

describe.each(Object.entries(hard))('%s', (_, text) => {
  test.each(tasks)('the reply of $name matches its schema', async ({ name, sample }) => {
    await expect(value(name, inputWith(sample, text))).resolves.toBeDefined()
  })
})

test.each(tasks)('$name takes an empty text without throwing', async ({ name, sample }) => {
  for (const text of ['', ' \n\n ']) await expect(reply(name, inputWith(sample, text))).resolves.toBeTypeOf('string')
})

test('never throws, for any text', async () => {
  const anyText = fc.oneof(fc.string({ unit: 'binary', maxLength: 200 }), fc.lorem({ mode: 'sentences', maxCount: 4 }))
  await fc.assert(
    fc.asyncProperty(anyText, async (text) => {
      for (const { name, sample } of tasks) expect(await reply(name, inputWith(sample, text))).toBeTypeOf('string')
    }),
    { numRuns: 60 },
  )
})

test('replies with the stand-in of a task, and names a task without one', async () => {
  for (const { name, offline } of tasks) expect(offline, name).toBeDefined()
  const request = { task: 'sing', version: 1, input: {}, prompt: { messages: [] }, reply: 'text', sample: 0 } as const
  const { signal } = new AbortController()
  expect(await provider.complete!({ ...request, standIn: () => 'la' }, signal)).toMatchObject({ text: 'la' })
  await expect(provider.complete!(request, signal)).rejects.toMatchObject({
    kind: 'refused',
    message: expect.stringMatching(/^the model "extractive" cannot do the task "sing": name another model/) as string,
  })
})

test('limits a summary by the tokenizer that it is opened with', async () => {
  const texts = ['灯塔建于一八七一年。', '守塔人每天晚上点灯，直到早晨。', '没有船只失踪。']
  for (const name of ['o200k_base', 'cl100k_base'] as const) {
    const opened = await extractive.open(extractive.options.parse({}), {
      cacheFolder: '',
      tokenizer: tokenizer(name),
    })
    expect(opened.parameters).toMatchObject({ tokenizer: name })
    const text = await reply(summarise.name, { texts, tokens: 20 }, opened)
    expect(tokenizer(name).count(text)).toBeLessThanOrEqual(20)
  }
})
