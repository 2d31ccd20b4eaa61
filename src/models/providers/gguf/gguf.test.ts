import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { formOf } from '../../calls/task-call.ts'
import type { CompletionRequest } from '../../provider.ts'
import { completer, gguf, loadLlama, openLlama, type ChatItem, type ChatSession, type OpenedLlama } from './gguf.ts'

test.each([
  ['is missing', '/absent/model.gguf', /^gguf: no such file \/absent\/model\.gguf; set path of the model to/],
  ['is no GGUF file', import.meta.filename, /^gguf: .*gguf\.test\.ts is not a GGUF file; set path of the model to/],
])('a file that %s is named when it is opened', async (_fault, path, message) => {
  await expect(gguf.open(gguf.options.parse({ path }), { cacheFolder: tmpdir() })).rejects.toThrow(message)
})

test('names a missing package with its install command', async () => {
  await expect(loadLlama('absent-llama')).rejects.toMatchObject({
    name: 'UserError',
    message: expect.stringMatching(/^gguf: .*: npm install --ignore-scripts node-llama-cpp@3\.22\.1 \(.*\)$/) as string,
  })
})

type GetLlama = Parameters<typeof openLlama>[0]['getLlama']
type LoadModel = Awaited<ReturnType<GetLlama>>['loadModel']

test('opens a model on the processor with the configured threads, and closes a file that is none', async () => {
  const calls: object[] = []
  const open = (loadModel: LoadModel) =>
    openLlama(
      {
        async getLlama(options) {
          calls.push(options)
          return {
            loadModel,
            dispose: async () => void calls.push(['dispose']),
            createGrammarForJsonSchema: async (x) => x,
          }
        },
      },
      'model.gguf',
      512,
      3,
    )
  await open(async () => ({
    tokenizer: undefined,
    async createContext(options) {
      calls.push(options)
      return { contextSize: 512, getSequence: () => Object.create(null) as never }
    },
  }))
  await expect(open(() => Promise.reject(new Error('bad magic')))).rejects.toThrow('cannot open model.gguf: bad magic')
  const getOptions = { gpu: false, build: 'never', logLevel: 'error' }
  expect(calls).toEqual([getOptions, { contextSize: 512, threads: 3, sequences: 1 }, getOptions, ['dispose']])
})

const signal = new AbortController().signal

const request = (more: Partial<CompletionRequest> = {}): CompletionRequest => ({
  task: 'test',
  version: 1,
  input: null,
  prompt: {
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Who?' },
    ],
  },
  reply: 'text',
  sample: 0,
  ...more,
})

/** A library that writes down what it is asked; a token is a character. */
function fakeLlama(stopReason = 'eogToken', contextSize = 500) {
  const requests: { history: readonly ChatItem[]; prompt: string; options: Record<string, unknown> }[] = []
  const events: string[] = []
  const counter = { usedInputTokens: 5, usedOutputTokens: 7 }
  const textOf = (item: ChatItem) => (item.type === 'model' ? item.response.join('') : item.text)
  class LlamaChatSession implements ChatSession {
    private history: readonly ChatItem[] = []
    readonly chatWrapper = {
      generateContextState: ({ chatHistory }: { chatHistory: readonly ChatItem[] }) => ({
        contextText: { tokenize: () => [...Buffer.from(chatHistory.map(textOf).join(''))] },
      }),
    }
    setChatHistory(items: readonly ChatItem[]) {
      this.history = items
    }
    async promptWithMeta(prompt: string, options: object) {
      requests.push({ history: this.history, prompt, options: { ...options } })
      events.push(`begin ${prompt}`)
      await new Promise(setImmediate)
      counter.usedInputTokens += 13
      counter.usedOutputTokens += 4
      events.push(`end ${prompt}`)
      return { responseText: 'Nobody', stopReason }
    }
    dispose() {
      events.push('dispose')
    }
  }
  const handle: OpenedLlama = {
    llama: {
      async createGrammarForJsonSchema(schema) {
        events.push('grammar')
        if ('maxItems' in schema) throw new Error('too much')
        return { grammarOf: schema }
      },
      dispose: async () => undefined,
    },
    model: { tokenizer: undefined },
    context: {
      contextSize,
      getSequence: () => ({ tokenMeter: counter, clearHistory: async () => void events.push('clear') }),
    },
  }
  return {
    requests,
    events,
    complete: completer({ LlamaChatSession }, handle, { temperature: 0, maxTokens: 50 }),
  }
}

test('sends the last message as prompt and earlier ones as history, and counts the tokens of this call', async () => {
  const { requests, complete } = fakeLlama()
  const repair = { reply: 'Hm', error: 'no name' }
  expect(await complete(request({ repair, sample: 2 }), signal)).toEqual({
    text: 'Nobody',
    finish: 'stop',
    promptTokens: 13,
    completionTokens: 4,
  })
  expect(requests).toMatchObject([
    {
      history: [
        { type: 'system', text: 'Be brief.' },
        { type: 'user', text: 'Who?' },
        { type: 'model', response: ['Hm'] },
      ],
      prompt: expect.stringContaining('no name') as string,
      options: { temperature: 0, seed: 44, repeatPenalty: false, signal },
    },
  ])
})

test.each([
  { name: 'the option', maxTokens: undefined, contextSize: 100, given: 50 },
  { name: 'the option, which allows more than the task needs', maxTokens: 20, contextSize: 100, given: 50 },
  { name: 'the option, which allows less than the task needs', maxTokens: 60, contextSize: 100, given: 50 },
  // "Be brief." and "Who?" are 13 tokens, and the library keeps one free
  { name: 'the context', maxTokens: 20, contextSize: 30, given: 16 },
])('a reply is bounded by $name', async ({ maxTokens, contextSize, given: allowedTokens }) => {
  const { requests, complete } = fakeLlama('maxTokens', contextSize)
  const { messages } = request().prompt
  const prompt = maxTokens === undefined ? { messages } : { messages, maxTokens }
  expect(await complete(request({ prompt }), signal)).toMatchObject({ finish: 'length' })
  expect(requests[0]!.options['maxTokens']).toBe(allowedTokens)
})

test('fails before the call when the prompt leaves no room for a reply', async () => {
  const { requests, events, complete } = fakeLlama('eogToken', 14)
  await expect(complete(request(), signal)).rejects.toMatchObject({
    kind: 'window',
    message: expect.stringContaining('contextSize (14)') as string,
  })
  expect(requests).toEqual([])
  expect(events).toEqual(['clear', 'dispose'])
})

test('runs calls one after the other, each with an empty history', async () => {
  const { events, complete } = fakeLlama()
  const ask = (content: string) => complete(request({ prompt: { messages: [{ role: 'user', content }] } }), signal)
  await Promise.all([ask('a'), ask('b')])
  expect(events).toEqual(['clear', 'begin a', 'end a', 'dispose', 'clear', 'begin b', 'end b', 'dispose'])
})

test('constrains JSON replies by a memoised grammar, except where a value may be anything', async () => {
  const { requests, events, complete } = fakeLlama()
  const askFor = (output: z.ZodType, more: Partial<CompletionRequest> = {}) =>
    complete(request({ reply: 'json', ...formOf(output), ...more }), signal)
  const choices = z.array(z.union([z.string().min(3), z.array(z.int())]))
  await askFor(choices)
  await askFor(choices, { schema: { ...formOf(choices).schema } })
  await askFor(z.array(z.unknown()))
  await askFor(z.object({ a: z.looseObject({}) }))
  // no grammar for this one in the fake library
  await askFor(z.array(z.string()).max(3))
  const oneOf = [{ type: 'string' }, { type: 'array', items: { type: 'integer' } }]
  const grammar = { grammarOf: { type: 'array', items: { oneOf } } }
  expect(requests.map(({ options }) => options['grammar'])).toEqual([grammar, grammar, undefined, undefined, undefined])
  expect(events.filter((event) => event === 'grammar')).toHaveLength(2)
})

test('does not start an aborted call', async () => {
  const { events, complete } = fakeLlama()
  await expect(complete(request(), AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough')
  expect(events).toEqual([])
})
