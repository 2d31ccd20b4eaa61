import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { CallOptions, CompletionRequest, Provider, ProviderKind } from '../models/provider.ts'
import { canonicalJson } from '../text/hash.ts'

export interface ModelCase {
  /** Options to open with, as a config has them; a function when they are known only later. */
  readonly options?: unknown
  /** A question that the model can answer; the standard one asks for a word. */
  readonly request?: CompletionRequest
  /** Where built models may be kept. */
  readonly cacheFolder?: string
  /** Largest difference between a number of a vector alone and in a batch. */
  readonly tolerance?: number
}

const plainRequest: CompletionRequest = {
  task: 'greet',
  version: 1,
  input: {},
  prompt: { messages: [{ role: 'user', content: 'Say hello.' }], maxTokens: 16 },
  reply: 'text',
  sample: 0,
}

const texts = [
  'The lamp broke at night.',
  'the keeper rang a bell',
  '',
  'Ünïcödé, 漢字 and 🙂',
  'a '.repeat(300),
  'The lamp broke at night.',
]

/** What every kind of model promises, as a suite of tests: call it at the top of a test file. */
export function testModel<O>(kind: ProviderKind<O>, modelCase: ModelCase | (() => Promise<ModelCase>) = {}): void {
  describe(`model ${kind.name}`, () => {
    let setting: ModelCase = {}
    let provider: Provider
    const signal = new AbortController().signal
    const options = (): O => kind.options.parse(setting.options ?? {})

    beforeAll(async () => {
      setting = typeof modelCase === 'function' ? await modelCase() : modelCase
      provider = await kind.open(options(), { cacheFolder: setting.cacheFolder ?? '' })
    })
    afterAll(async () => provider.close?.())

    test('says what it is and what it takes', () => {
      expect(kind.name).toMatch(/^[a-z][a-z0-9-]*$/)
      expect(kind.summary).toMatch(/\.$/)
      const { properties = {} } = z.toJSONSchema(kind.options, { io: 'input', unrepresentable: 'any' })
      const silent = Object.entries(properties).filter(
        ([, schema]) => !(schema as { description?: string }).description,
      )
      expect(silent.map(([name]) => name)).toEqual([])
    })

    test('takes the options of every call and refuses an unknown one', () => {
      const { concurrency, retries, timeoutSeconds } = options() as CallOptions
      expect([concurrency, retries, timeoutSeconds].every((value) => typeof value === 'number')).toBe(true)
      const given = { ...(setting.options ?? {}), 'no such option': 1 }
      expect(kind.options.safeParse(given).success).toBe(false)
    })

    test('can what it says', () => {
      const abilities = (['complete', 'embed', 'embedTokens'] as const).filter((ability) => provider[ability])
      expect(abilities).not.toEqual([])
      expect(kind.can).toEqual(expect.arrayContaining(abilities))
    })

    test('names what changes its replies, in plain JSON', async () => {
      expect(provider.name).toBe(kind.name)
      expect(provider.model).not.toBe('')
      expect(JSON.parse(canonicalJson(provider.parameters))).toEqual(JSON.parse(JSON.stringify(provider.parameters)))
      const again = await kind.open(options(), { cacheFolder: setting.cacheFolder ?? '' })
      expect(again.parameters).toEqual(provider.parameters)
      await again.close?.()
    })

    test.runIf(kind.can.includes('complete'))('completes, and says how the reply ended', async ({ skip }) => {
      skip(!provider.complete, 'this model does not complete')
      const request = setting.request ?? plainRequest
      const reply = await provider.complete?.(request, signal)
      expect(reply).toMatchObject({
        text: expect.any(String) as string,
        finish: expect.stringMatching(/^(stop|length)$/) as string,
      })
      for (const count of [reply?.promptTokens, reply?.completionTokens]) {
        if (count !== undefined) expect(count).toBeGreaterThanOrEqual(0)
      }
      expect((await provider.complete?.(request, signal))?.text).toBe(reply?.text)
    })

    test.runIf(kind.can.includes('embed'))('embeds in order, whatever is sent along', async ({ skip }) => {
      skip(!provider.embed, 'this model does not embed')
      const together = (await provider.embed?.(texts, 'document', signal))?.vectors ?? []
      expect(together).toHaveLength(texts.length)
      expect(new Set(together.map((vector) => vector.length)).size).toBe(1)
      expect(together.every((vector) => vector instanceof Float32Array && vector.every(Number.isFinite))).toBe(true)
      for (const vector of together) {
        const length = Math.hypot(...vector)
        if (length !== 0) expect(length).toBeCloseTo(1, 5)
      }
      for (const [index, text] of texts.entries()) {
        const alone = (await provider.embed?.([text], 'document', signal))?.vectors[0]
        expect(furthest(alone, together[index])).toBeLessThanOrEqual(setting.tolerance ?? 1e-6)
      }
    })

    test.runIf(kind.can.includes('embedTokens'))('embeds the tokens of a text', async ({ skip }) => {
      skip(!provider.embedTokens, 'this model does not embed tokens')
      const vectors = (await provider.embedTokens?.('The lamp broke.', signal))?.vectors ?? []
      expect(vectors.length).toBeGreaterThanOrEqual(3)
      expect(new Set(vectors.map((vector) => vector.length)).size).toBe(1)
      expect((await provider.embedTokens?.('', signal))?.vectors.length).toBeGreaterThanOrEqual(1)
    })

    test('opens and closes again without being asked', async () => {
      const unasked = await kind.open(options(), { cacheFolder: setting.cacheFolder ?? '' })
      await unasked.close?.()
    })
  })
}

function furthest(a: Float32Array | undefined, b: Float32Array | undefined): number {
  if (!a || a.length !== b?.length) return Infinity
  return a.reduce((most, value, index) => Math.max(most, Math.abs(value - (b[index] ?? NaN))), 0)
}
