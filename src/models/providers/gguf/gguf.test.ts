import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import type { CompletionRequest } from '../../provider.ts'
import { completer, gguf, loadLlama, openLlama, type ChatItem, type ChatSession, type OpenedLlama } from './gguf.ts'

const open = (options: object) => gguf.open(gguf.options.parse(options), { cacheFolder: tmpdir() })

test('a missing file is named', async () => {
  await expect(open({ path: '/absent/model.gguf' })).rejects.toMatchObject({
    name: 'UserError',
    message: expect.stringContaining('no such file /absent/model.gguf') as string,
  })
})

test('a missing package is named with the command that installs it', async () => {
  await expect(loadLlama('absent-llama')).rejects.toMatchObject({
    name: 'UserError',
    message: expect.stringMatching(/^gguf: .*: npm install --ignore-scripts node-llama-cpp@3\.22\.1 \(.*\)$/) as string,
  })
})

type GetLlama = Parameters<typeof openLlama>[0]['getLlama']
type LoadModel = Awaited<ReturnType<GetLlama>>['loadModel']

/** A library that opens models so, and writes down what it is asked. */
function fakeLibrary(loadModel: LoadModel) {
  const calls: unknown[] = []
  const getLlama: GetLlama = async (options) => {
    calls.push(options)
    const dispose = async () => void calls.push('dispose')
    return { loadModel, dispose, createGrammarForJsonSchema: async (schema) => schema }
  }
  return { calls, library: { getLlama } }
}

test('a model is opened on the processor, with the threads that it needs', async () => {
  const contexts: object[] = []
  const { calls, library } = fakeLibrary(async () => ({
    tokenizer: undefined,
    async createContext(options) {
      contexts.push(options)
      const sequence = { tokenMeter: { usedInputTokens: 0, usedOutputTokens: 0 }, clearHistory: async () => undefined }
      return { contextSize: 512, getSequence: () => sequence }
    },
  }))
  await openLlama(library, 'model.gguf', 512, 3)
  expect(calls).toEqual([{ gpu: false, build: 'never', logLevel: 'error' }])
  expect(contexts).toEqual([{ contextSize: 512, threads: 3, sequences: 1 }])
})

test('a file that is no model is named, and nothing stays open', async () => {
  const { calls, library } = fakeLibrary(() => Promise.reject(new Error('bad magic')))
  await expect(openLlama(library, 'model.gguf', 512, 2)).rejects.toThrow('gguf: cannot open model.gguf: bad magic')
  expect(calls.at(-1)).toBe('dispose')
})

test('a file that is not a GGUF file is refused when it is opened', async () => {
  await expect(open({ path: import.meta.filename })).rejects.toThrow(
    /^gguf: .*gguf\.test\.ts is not a GGUF file; set path of the model to/,
  )
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
  const asked: { history: readonly ChatItem[]; prompt: string; options: Record<string, unknown> }[] = []
  const events: string[] = []
  const meter = { usedInputTokens: 5, usedOutputTokens: 7 }
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
      asked.push({ history: this.history, prompt, options: { ...options } })
      events.push(`begin ${prompt}`)
      await new Promise(setImmediate)
      meter.usedInputTokens += 13
      meter.usedOutputTokens += 4
      events.push(`end ${prompt}`)
      return { responseText: 'Nobody', stopReason }
    }
    dispose() {
      events.push('dispose')
    }
  }
  const opened: OpenedLlama = {
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
      getSequence: () => ({ tokenMeter: meter, clearHistory: async () => void events.push('clear') }),
    },
  }
  return {
    asked,
    events,
    complete: completer({ LlamaChatSession }, opened, { temperature: 0, maxTokens: 50 }),
  }
}

test('the last message is the prompt, what came before is history, and tokens are those of this call', async () => {
  const { asked, complete } = fakeLlama()
  const repair = { reply: 'Hm', error: 'no name' }
  expect(await complete(request({ repair, sample: 2 }), signal)).toEqual({
    text: 'Nobody',
    finish: 'stop',
    promptTokens: 13,
    completionTokens: 4,
  })
  expect(asked).toMatchObject([
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
])('a reply is bounded by $name', async ({ maxTokens, contextSize, given }) => {
  const { asked, complete } = fakeLlama('maxTokens', contextSize)
  const { messages } = request().prompt
  const prompt = maxTokens === undefined ? { messages } : { messages, maxTokens }
  expect(await complete(request({ prompt }), signal)).toMatchObject({ finish: 'length' })
  expect(asked[0]!.options['maxTokens']).toBe(given)
})

test('a prompt that leaves no room fails before it is asked', async () => {
  const { asked, events, complete } = fakeLlama('eogToken', 14)
  await expect(complete(request(), signal)).rejects.toMatchObject({
    kind: 'window',
    message: expect.stringContaining('contextSize (14)') as string,
  })
  expect(asked).toEqual([])
  expect(events).toEqual(['clear', 'dispose'])
})

test('calls go one by one, each from an empty memory', async () => {
  const { events, complete } = fakeLlama()
  const ask = (content: string) => complete(request({ prompt: { messages: [{ role: 'user', content }] } }), signal)
  await Promise.all([ask('a'), ask('b')])
  expect(events).toEqual(['clear', 'begin a', 'end a', 'dispose', 'clear', 'begin b', 'end b', 'dispose'])
})

test('a JSON reply is held to its schema by a grammar, made once; a reply in words is free', async () => {
  const { asked, events, complete } = fakeLlama()
  const schema = { type: 'array', items: { type: 'string' } }
  await complete(request({ reply: 'json', schema }), signal)
  await complete(request({ reply: 'json', schema: { ...schema } }), signal)
  await complete(request({ reply: 'text', schema }), signal)
  expect(asked.map(({ options }) => options['grammar'])).toEqual([
    { grammarOf: schema },
    { grammarOf: schema },
    undefined,
  ])
  expect(events.filter((event) => event === 'grammar')).toHaveLength(1)
})

test.each([
  { name: 'the library cannot make', schema: { type: 'array', items: { type: 'string' }, maxItems: 3 } },
  { name: 'it would get wrong', schema: { type: 'array', items: {} } },
])('a grammar that $name is left out', async ({ schema }) => {
  const { asked, complete } = fakeLlama()
  await complete(request({ reply: 'json', schema }), signal)
  expect(asked[0]!.options).not.toHaveProperty('grammar')
})

test('a call that is called off does not begin', async () => {
  const { events, complete } = fakeLlama()
  await expect(complete(request(), AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough')
  expect(events).toEqual([])
})
