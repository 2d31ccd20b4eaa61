import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineTask } from '../define.ts'
import { ModelError } from '../errors.ts'
import { fakeProvider, type FakeProvider, type FakeScript } from '../test-support/fake-provider.ts'
import { tokenizer } from '../text/tokens.ts'
import type { Phase } from '../types.ts'
import type { Cache } from './cache/cache.ts'
import { inMemoryCache } from './cache/open-cache.ts'
import { singleFlight } from './cache/single-flight.ts'
import { modelClient } from './calls/client.ts'
import { CallError } from './calls/retry.ts'
import { createUsageCounter, zeroSentUsage, zeroUsage } from './usage-counter.ts'
import { replyLimit, type CompletionRequest, type Provider } from './provider.ts'
import { bagOfWords } from './providers/fake.ts'
import { scopedModels } from './scoped-models.ts'
const words = tokenizer('o200k_base')

const answer = defineTask<string, string>({
  name: 'answer',
  version: 1,
  reply: 'text',
  prompt: (question) => ({ messages: [{ role: 'user', content: question }], maxTokens: 20 }),
  output: z.string().min(1),
})

const names = defineTask<string, string[]>({
  name: 'names',
  version: 1,
  reply: 'json',
  prompt: (text) => ({ messages: [{ role: 'user', content: text }] }),
  output: z.array(z.string()),
})

interface Setting {
  usualSeeds?: boolean
  cache?: Cache | null
  concurrency?: number
  sample?: number
  phase?: Phase
  signal?: AbortSignal
}

/** The whole stack over one provider, with a meter of its own. */
function over(provider: Provider, setting: Setting = {}) {
  const { cache = null, concurrency = 8, sample = 0, phase = 'answer', usualSeeds = false } = setting
  const signal = setting.signal ?? new AbortController().signal
  const counter = createUsageCounter()
  const scope = { phase, sample, seed: [42, 'test', sample], usualSeeds, counter }
  const messages: string[] = []
  const limits = { concurrency, retries: 2, timeoutSeconds: 60 }
  const context = { tokenizer: words, calls: singleFlight(cache), signal, warn: (line: string) => messages.push(line) }
  const client = modelClient(provider, limits, context)
  const models = scopedModels({ completer: client, embedder: client, templates: {} }, scope)
  return {
    models,
    counter,
    messages,
    usage: () => ({ ...counter.totals(phase), ...zeroSentUsage, milliseconds: 0, embeddingMilliseconds: 0 }),
    all: () => counter.totals(phase),
  }
}

const replying = (...replies: NonNullable<FakeScript['complete']>[]): FakeProvider => {
  let next = 0
  return fakeProvider({ complete: (...call) => (replies[next++] ?? replies.at(-1) ?? (() => ''))(...call) })
}
const texts = (...replies: string[]) => replying(...replies.map((reply) => () => reply))

describe('run', () => {
  test('returns the typed value of a reply and counts the call', async () => {
    const provider = replying(() => ({ text: '["a"]', finish: 'length', promptTokens: 7, completionTokens: 3 }))
    const { models, usage } = over(provider)
    expect(await models.run(names, 'list')).toEqual(['a'])
    expect(usage()).toEqual({ ...zeroUsage, calls: 1, promptTokens: 7, completionTokens: 3, clean: 1, cut: 1 })
    const schema = { type: 'array', items: { type: 'string' } }
    const prompt = { messages: [{ role: 'user', content: 'list' }] }
    const form = { reply: 'json', schema, strict: 'closed' }
    const request = { task: 'names', version: 1, input: 'list', prompt, sample: 0 }
    expect(provider.calls).toEqual([{ kind: 'complete', request: Object.assign(request, form) }])
  })

  test('counts tokens itself where the provider cannot, reasoning included', async () => {
    const { models, usage } = over(texts('<think>one two</think>three'))
    expect(await models.run(answer, 'four five')).toBe('three')
    expect(usage()).toMatchObject({
      promptTokens: words.count('four five'),
      completionTokens: words.count('<think>one two</think>three'),
      estimated: 1,
    })
  })

  test('fails with the raw reply after the repair, for all callers of this run but not of the next', async () => {
    const provider = texts('no list', 'still none')
    const cache = inMemoryCache()
    for (const run of [1, 2]) {
      const { models, usage } = over(provider, { cache })
      for (const round of [1, 2]) {
        const failure = models.run(names, 'list')
        await expect(failure).rejects.toBeInstanceOf(ModelError)
        await expect(failure).rejects.toMatchObject({ kind: 'reply', raw: 'still none' })
        expect(usage()).toMatchObject({ calls: 2 * round, failed: round })
      }
      expect(provider.calls).toHaveLength(2 * run)
    }
  })

  test('requests an unreadable reply once more with its error, and replays the exchange from the cache', async () => {
    const provider = texts('no list', '["a", 1]')
    const cache = inMemoryCache()
    const first = over(provider, { cache })
    const second = over(provider, { cache })
    expect(await first.models.run(names, 'list')).toEqual(['a'])
    expect(await second.models.run(names, 'list')).toEqual(['a'])
    expect(first.usage()).toMatchObject({ calls: 2, partial: 1, skippedItems: 1 })
    expect(second.usage()).toEqual(first.usage())
    const repair = { reply: 'no list', error: 'the reply holds no JSON list' }
    expect(provider.calls).toMatchObject([{ kind: 'complete' }, { request: { repair } }])
    expect(first.all()).toMatchObject({ sent: 2, sentPromptTokens: first.usage().promptTokens })
    expect(second.all()).toMatchObject(zeroSentUsage)
  })

  test.each([1, 64])('stops a stream of calls after 20 failed replies, with %i calls at once', async (concurrency) => {
    const { models, usage } = over(texts('prose'), { concurrency, phase: 'index' })
    const inputs = Array.from({ length: 100 }, (_, at) => `text ${at}`)
    const outcomes = await Promise.allSettled(inputs.map((input) => models.run(names, input)))
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true)
    expect(outcomes[19]).toMatchObject({ reason: { message: expect.stringMatching(/^names: two replies/) as string } })
    const message = expect.stringMatching(/^names: not asked, since the first 20 replies .*: names: two/) as string
    expect(outcomes[20]).toMatchObject({ reason: { kind: 'reply', message } })
    // each with one repair question
    expect(usage()).toMatchObject({ calls: 40, failed: 100 })
  })

  test('with a truncated prompt is counted and reported once', async () => {
    const long = 'one two three four five six seven eight nine ten '.repeat(35)
    const provider = fakeProvider({
      complete: () => ({ text: 'x', finish: 'stop', promptTokens: 50, completionTokens: 1 }),
    })
    const { models, usage, messages } = over(provider)
    await models.run(answer, 'short')
    expect(messages).toEqual([])
    await models.run(answer, long)
    await models.run(answer, `${long} again`)
    expect(usage()).toMatchObject({ calls: 3, cutPrompts: 2 })
    expect(messages).toEqual([expect.stringMatching(/read 50 of about 35\d prompt tokens \(task answer\)/)])
  })

  test.each<[string, object, readonly (number | undefined)[]]>([
    ['four times as much room', {}, [undefined, 4 * 512]],
    ['as much room as the config allows', { maxTokens: 900 }, []],
    ['as much room as the window leaves', { window: 1000 }, [undefined, 997]],
  ])(
    'that ended at its limit and cannot be read is asked again with %s, never under the same limit',
    async (_name, more, rooms) => {
      const limits: (number | undefined)[] = []
      const provider = fakeProvider({
        ...more,
        complete(request) {
          limits.push(request.more === undefined ? undefined : replyLimit(request, undefined))
          expect(request.repair).toBeUndefined()
          return { text: '[', finish: 'length' }
        },
      })
      const limit = rooms.at(-1) ?? 900
      await expect(over(provider).models.run(names, 'a b c')).rejects.toMatchObject({
        kind: 'reply',
        message: expect.stringMatching(new RegExp(`ended at the token limit of ${limit}$`)) as string,
      })
      expect(limits).toEqual(rooms.length > 0 ? rooms : [undefined])
    },
  )

  test('names the option to change for a reply that ended before its answer, and reads a longer one', async () => {
    const thinking = { text: '<think>long', finish: 'length' as const }
    await expect(over(fakeProvider({ complete: () => thinking })).models.run(answer, 'x')).rejects.toThrow(
      /ended at the token limit of \d+, before an answer: set a larger maxTokens$/,
    )
    const { models, usage } = over(fakeProvider({ complete: ({ more }) => (more === undefined ? thinking : '["a"]') }))
    expect(await models.run(names, 'x')).toEqual(['a'])
    expect(usage()).toMatchObject({ calls: 2, cut: 1, failed: 0 })
  })

  test('requests a list in two halves at the highest limit and caches them together', async () => {
    const inHalves: typeof names = {
      ...names,
      halves: (input) => (input.length > 1 ? [input.slice(0, 2), input.slice(2)] : undefined),
      joined: (first, second) => [...first, ...second],
    }
    const reply = ({ prompt }: CompletionRequest) => {
      const content = prompt.messages[0]?.content ?? ''
      return content.length > 2 ? { text: '["', finish: 'length' as const } : JSON.stringify([content])
    }
    const provider = { ...fakeProvider({ complete: reply }), maxTokens: 64 }
    const cache = inMemoryCache()
    const { models, usage } = over(provider, { cache })
    expect(await models.run(inHalves, 'abcd')).toEqual(['ab', 'cd'])
    expect(usage()).toMatchObject({ calls: 3, cut: 1, repaired: 1, failed: 0 })
    expect(await over(provider, { cache }).models.run(inHalves, 'abcd')).toEqual(['ab', 'cd'])
    expect(provider.calls).toHaveLength(3)
    await expect(models.run(inHalves, 'abcdef')).rejects.toThrow(
      'names: the reply could not be read: it ended at the token limit of 64; of one half: it ended at the token limit of 64',
    )
  })

  test('does not repeat a refused request', async () => {
    const provider = replying(() => ({ text: 'I must not', finish: 'filter', promptTokens: 9, completionTokens: 1 }))
    const { models, usage } = over(provider, { cache: inMemoryCache() })
    await expect(models.run(answer, 'x')).rejects.toMatchObject({ kind: 'refused', raw: 'I must not' })
    expect(usage()).toMatchObject({ calls: 1, promptTokens: 9, failed: 1, clean: 0 })
  })

  test('limits a reply to the window, down to the usual length, and fails before a call without that room', async () => {
    const rooms: (number | undefined)[] = []
    const needy = { ...answer, prompt: (input: string) => ({ ...answer.prompt(input), maxTokens: 4096 }) }
    const complete = ({ room }: CompletionRequest) => (rooms.push(room), 'yes')
    const { models, usage } = over(fakeProvider({ window: 600, complete }))
    await models.run(needy, 'a b c')
    await expect(models.run(needy, 'a '.repeat(90))).rejects.toMatchObject({ kind: 'window' })
    expect(rooms).toEqual([597])
    expect(usage()).toMatchObject({ calls: 1, failed: 1 })
  })

  test('distinguishes capped calls in the cache only if the model allows longer replies', async () => {
    const cappedTask = { ...answer, capped: true as const }
    const keysAt = async (maxTokens: number) => {
      const provider = fakeProvider({ parameters: { maxTokens }, maxTokens, complete: () => 'yes' })
      const { models } = over(provider, { cache: inMemoryCache() })
      await models.run(answer, 'x')
      await models.run(cappedTask, 'x')
      return provider.calls.map((call) => call.kind === 'complete' && call.request.capped)
    }
    expect(await keysAt(20)).toEqual([undefined])
    expect(await keysAt(21)).toEqual([undefined, true])
  })

  test('reports a provider without the ability, with its name and the task', async () => {
    const { models, usage } = over(fakeProvider({ name: 'mute' }))
    await expect(models.run(answer, 'x')).rejects.toMatchObject({
      kind: 'refused',
      message: 'the provider "mute" cannot complete, which the task "answer" needs',
    })
    await expect(models.embed(['x'])).rejects.toMatchObject({ kind: 'refused' })
    await expect(models.embedTokens('x')).rejects.toMatchObject({ kind: 'refused' })
    expect(usage()).toMatchObject({ calls: 0, failed: 3 })
  })

  test('does not count the end of the run as a failure', async () => {
    const run = new AbortController()
    const { models, usage } = over(
      replying(() => new Promise(() => undefined)),
      { signal: run.signal },
    )
    const pending = models.run(answer, 'x')
    run.abort(new Error('stopped'))
    await expect(pending).rejects.toThrow('stopped')
    expect(usage()).toEqual(zeroUsage)
  })

  test('makes equal calls of one sample once and counts each', async () => {
    const provider = texts('yes')
    const cache = inMemoryCache()
    const { models, all } = over(provider, { cache })
    await Promise.all([1, 2, 3].map(() => models.run(answer, 'x')))
    await models.run(answer, 'x')
    expect(provider.calls).toHaveLength(1)
    expect(all()).toMatchObject({ calls: 4, cached: 0, sent: 1 })
    await over(provider, { cache, sample: 1 }).models.run(answer, 'x')
    await over({ ...provider, model: 'other' }, { cache }).models.run(answer, 'x')
    await over({ ...provider, parameters: { temperature: 1 } }, { cache }).models.run(answer, 'x')
    await models.run({ ...answer, version: 2 }, 'x')
    expect(provider.calls).toHaveLength(5)
  })
})

describe('embed', () => {
  const embedding = (script: FakeScript = {}) =>
    fakeProvider({ embed: (list) => list.map((text) => bagOfWords(text.split(' '), 8)), ...script })

  test('keeps the order, sends each text once in batches and counts one call', async () => {
    const provider = embedding({ batch: 2 })
    const { models, usage } = over(provider)
    const vectors = await models.embed(['a', 'b', 'a', 'c d', 'e'])
    expect(vectors).toEqual(['a', 'b', 'a', 'c d', 'e'].map((text) => bagOfWords(text.split(' '), 8)))
    expect(provider.calls).toMatchObject([
      { texts: ['a', 'b'], role: 'document' },
      { texts: ['c d', 'e'], role: 'document' },
    ])
    expect(usage()).toMatchObject({ calls: 1, embeddedTokens: 6, estimated: 1, cached: 0 })
    expect(await models.embed([])).toEqual([])
    expect(usage()).toMatchObject({ calls: 1 })
  })

  test('sends only texts that are not cached for their role', async () => {
    const provider = embedding()
    const { models, all } = over(provider, { cache: inMemoryCache() })
    await Promise.all([models.embed(['a', 'b']), models.embed(['b', 'c'])])
    await models.embed(['a', 'c', 'd'])
    await models.embed(['a'], 'query')
    expect(all()).toMatchObject({ embeddingCalls: 4, embeddedTokens: 8, sent: 4, sentTexts: 5, sentEmbeddedTokens: 5 })
    expect(provider.calls.map((call) => call.kind === 'embed' && call.texts)).toEqual([['a', 'b'], ['c'], ['d'], ['a']])
  })

  describe('of an embedder that cuts long texts', () => {
    const short = () =>
      embedding({
        readsTokens: 3,
        countTokens: (text, role) => text.split(' ').length + (role === 'query' ? 1 : 0),
        embedTokens: async (text) => ({ vectors: text.split(' ').map(() => Float32Array.of(1)) }),
      })
    const usageOf = async (provider: Provider, cache: Cache | null) => {
      const { models, usage } = over(provider, { cache })
      await models.embed(['a b c', 'a b c d e', 'a', 'a b c d e'])
      await models.embed(['a b c'], 'query')
      await models.embedTokens('a b c d')
      const { embeddedTexts, embeddedTokens, cutTexts, unreadTokens, estimated } = usage()
      return { embeddedTexts, embeddedTokens, cutTexts, unreadTokens, estimated }
    }
    // three texts of three tokens and one of one; a query of four; a text of four for its tokens
    const counted = { embeddedTexts: 6, embeddedTokens: 16, cutTexts: 4, unreadTokens: 6, estimated: 0 }

    test('counts read and unread tokens separately, with and without a cache', async () => {
      const cache = inMemoryCache()
      expect(await usageOf(short(), null)).toEqual(counted)
      // a cache that was filled without these counts
      const { readsTokens: _limit, countTokens: _count, ...before } = short()
      expect(await usageOf(before, cache)).toMatchObject({ cutTexts: 0, unreadTokens: 0, estimated: 3 })
      for (const _ of [1, 2]) expect(await usageOf(short(), cache)).toEqual(counted)
    })

    test("estimates by the run's tokenizer, and by the server's count of a single text", async () => {
      const { countTokens: _count, ...unsure } = short()
      const estimate = over(unsure)
      await estimate.models.embed(['one two three four five', 'one'])
      expect(estimate.usage()).toMatchObject({ embeddedTokens: 4, cutTexts: 1, unreadTokens: 2, estimated: 1 })
      const singly = { ...unsure, batch: 1, embed: async () => ({ vectors: [Float32Array.of(1)], tokens: 2 }) }
      const { models, usage } = over(singly)
      await models.embed(['one two three four five', 'one'])
      expect(usage()).toMatchObject({ embeddedTokens: 4, unreadTokens: 2, estimated: 1 })
    })
  })

  test.each([
    ['a vector that is not finite', () => [Float32Array.of(1, NaN)], 'not finite for "a"'],
    ['an infinite vector', () => [Float32Array.of(Infinity, 0)], 'not finite for "a"'],
    ['too few vectors', () => [], 'returned 0 vectors for 1 texts'],
    ['an empty vector', () => [new Float32Array()], 'vectors of the lengths 0'],
    ['a vector of zeros', () => [Float32Array.of(0, -0)], 'a vector of zeros alone for "a"'],
  ])('refuses %s', async (_name, embed, message) => {
    const cache = inMemoryCache()
    const { models, usage } = over(embedding({ embed }), { cache })
    await expect(models.embed(['a'])).rejects.toThrow(message)
    expect(usage()).toEqual({ ...zeroUsage, failed: 1 })
  })

  describe('of an embedder that refuses some texts', () => {
    /** Refuses texts with "!", and batches that hold one; the vectors of those with "~" are not finite. */
    const picky = (script: FakeScript = {}) =>
      embedding({
        embed: (list) => {
          if (list.some((text) => text.includes('!'))) throw new Error('400 cannot take it')
          return list.map((text) => (text.includes('~') ? Float32Array.of(NaN, 1) : Float32Array.of(text.length, 1)))
        },
        ...script,
      })

    const failing = (error: Error) => (): never => {
      throw error
    }

    test('leaves these out of an index, names and counts them', async () => {
      const cache = inMemoryCache()
      const { models, counter, usage } = over(picky(), { phase: 'index', cache })
      const texts = ['a', 'bb', 'c!', 'dddd', 'e~', 'ff']
      const empty = new Float32Array(2)
      const vectors = await models.embed(texts)
      expect(vectors).toEqual(texts.map((text) => (/[!~]/.test(text) ? empty : Float32Array.of(text.length, 1))))
      expect(usage()).toMatchObject({ unembedded: 2, failed: 0, embeddedTexts: 4, embeddingCalls: 1 })
      expect(counter.embeddingFailures()).toEqual([
        'fake could not embed "c!" (2 characters): 400 cannot take it',
        'fake returned a vector with a number that is not finite for "e~" (2 characters)',
      ])
      expect(await over(picky(), { phase: 'index', cache }).models.embed(['a', 'bb', 'dddd', 'ff'])).toHaveLength(4)
      // a single text gets a vector of the usual length
      expect(await over(picky(), { phase: 'index' }).models.embed(['c!'])).toEqual([empty])
    })

    test('fails only the question, with its beginning and length', async () => {
      const { models, usage } = over(picky(), { phase: 'retrieve' })
      const long = `${'why '.repeat(300)}!`
      await expect(models.embed(['fine', long], 'query')).rejects.toThrow(
        `fake could not embed "${'why '.repeat(15)}…" (1,201 characters): 400 cannot take it`,
      )
      expect(usage()).toMatchObject({ failed: 1, unembedded: 0 })
      expect(await models.embed(['fine'], 'query')).toHaveLength(1)
    })

    test('fails the call of an embedder that refuses all texts after a few tries', async () => {
      const provider = picky({ embed: failing(new Error('no')) })
      const { models } = over(provider, { phase: 'index' })
      await expect(models.embed(Array.from({ length: 128 }, (_, at) => `text ${at}`))).rejects.toThrow('no')
      expect(provider.calls.length).toBeLessThan(48)
    })

    test('does not split a batch that fails for another reason', async () => {
      const busy = new CallError('server', '503 busy', { retryable: true, waitSeconds: 0 })
      const wrongKey = new CallError('server', '401 no', { retryable: false, unusable: '401' })
      for (const error of [busy, wrongKey]) {
        const provider = picky({ embed: failing(error) })
        await expect(over(provider, { phase: 'index' }).models.embed(['a', 'b'])).rejects.toThrow(error.message)
        expect(provider.calls.every((call) => call.kind === 'embed' && call.texts.length === 2)).toBe(true)
      }
    })

    test('returns no token vectors for such a text of an index', async () => {
      const embedTokens = async (text: string) => {
        if (text.includes('!')) throw new Error('no')
        return { vectors: [Float32Array.of(1, 0)] }
      }
      const { models, usage } = over(picky({ embedTokens }), { phase: 'index' })
      expect(await models.embedTokens('a!')).toEqual([])
      expect(await models.embedTokens('a')).toHaveLength(1)
      expect(usage()).toMatchObject({ unembedded: 1, embeddedTexts: 1 })
      await expect(over(picky({ embedTokens })).models.embedTokens('a!')).rejects.toThrow('could not embed "a!"')
    })
  })

  test.each([undefined, 1, 2])('refuses one vector for three different texts, in batches of %s', async (batch) => {
    const alike = (list: readonly string[]) => list.map(() => Float32Array.of(1, 2))
    const askAll = () => over(embedding({ embed: alike, ...(batch !== undefined && { batch }) })).models
    const message = 'returned the same vector for 3 different texts'
    await expect(askAll().embed(['a b', 'c', 'd', 'd'])).rejects.toThrow(message)
    expect(await askAll().embed(['Paris', 'paris!', 'PARIS', 'Lisk'])).toHaveLength(4)
    await expect(askAll().embed(['?', '…', '!', 'a', 'b'])).rejects.toThrow(message)
    expect(await askAll().embed(['José García', 'Jose Garcia', 'José Garcia'])).toHaveLength(3)
    // a local tokenizer may know none of these words, or read no more than what they share
    expect(await askAll().embed(['សុខ', 'ដារា', 'វិចិត្រ'])).toHaveLength(3)
    const beginning = 'the same words again and again '.repeat(8)
    expect(await askAll().embed([`${beginning} a`, `${beginning} b`, `${beginning} c`])).toHaveLength(3)
  })

  test('refuses vectors of different lengths, and accepts zeros for a text without a word', async () => {
    const embed = (list: readonly string[]) => list.map((text) => new Float32Array(text.length).fill(1))
    for (const batch of [1, 2])
      await expect(over(embedding({ embed, batch })).models.embed(['a', 'bb'])).rejects.toThrow('of the lengths 1, 2')
    const zeros = (list: readonly string[]) => list.map(() => new Float32Array(2))
    expect(await over(embedding({ embed: zeros })).models.embed(['…', ''])).toHaveLength(2)
  })

  test('caches token vectors separately from text vectors', async () => {
    const provider = embedding({
      embedTokens: async (text) => ({ vectors: Array.from(text, () => Float32Array.of(1, 0)) }),
    })
    const { models, usage } = over(provider, { cache: inMemoryCache() })
    expect(await models.embedTokens('abc')).toHaveLength(3)
    expect(await models.embedTokens('abc')).toHaveLength(3)
    expect(await models.embed(['abc'])).toHaveLength(1)
    expect(usage()).toMatchObject({ calls: 3, estimated: 3 })
  })
})

test('uses the requested seed if the scope says so, else one derived from the scope', () => {
  const provider = fakeProvider({})
  const usual = over(provider, { usualSeeds: true, sample: 1 }).models
  expect([usual.seed(224), usual.seed(42)]).toEqual([224, 42])
  const seeds = (sample: number) => {
    const { models } = over(provider, { sample })
    return [models.seed(224), models.seed(42), (models.random(), models.seed(224))]
  }
  const [first, second, again] = seeds(0)
  expect(again).toBe(first)
  expect(new Set([224, 42, first, second, ...seeds(1)]).size).toBe(6)
  expect(seeds(0)).toEqual(seeds(0))
})
