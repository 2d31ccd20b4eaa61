import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { gguf, loadLlama, openLlama, type LlamaLibrary } from './gguf.ts'
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

function fakeLibrary(loadModel: () => Promise<object>) {
  const calls: unknown[] = []
  const library = {
    async getLlama(options: object) {
      calls.push(options)
      return { loadModel, dispose: async () => void calls.push('dispose') }
    },
  } as unknown as LlamaLibrary
  return { calls, library }
}

test('a model is opened on the processor, with the threads that it needs', async () => {
  const contexts: object[] = []
  const { calls, library } = fakeLibrary(async () => ({
    createContext: async (options: object) => contexts.push(options),
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

test('calls go one at a time', () => {
  expect(gguf.options.safeParse({ path: 'x', concurrency: 2 }).success).toBe(false)
  expect(gguf.options.parse({ path: 'x' })).toMatchObject({
    threads: 2,
    contextSize: 4096,
    temperature: 0,
    concurrency: 1,
  })
})
