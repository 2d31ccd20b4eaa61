import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { once } from '../basics/memoise.ts'
import type { CallOptions, CompletionRequest, Provider, ProviderKind } from '../models/provider.ts'
import { canonicalJson } from '../text/hash.ts'
import { checksOf, firstFault, nameChecks, type Check, type Fault, brief } from './check.ts'

export interface ModelCase {
  /** Options to open with, as a config has them. */
  readonly options?: unknown
  /** A question that the model can answer; the standard one asks for a word. */
  readonly request?: CompletionRequest
  /** Where built models may be kept. */
  readonly cacheFolder?: string
  /** Largest difference between a number of a vector alone and in a batch. */
  readonly tolerance?: number
  /** Why it cannot be opened here (weights or a server that are not there): only what it says of itself is checked. */
  readonly closed?: string
}

/** What every kind of model promises, as checks; a function gives the case where options are known later. */
export function modelChecks<O>(
  kind: ProviderKind<O>,
  given: ModelCase | (() => Promise<ModelCase>) = {},
): readonly Check[] {
  const check = checksOf(`model "${kind.name}"`)
  const setting = once(async () => (typeof given === 'function' ? given() : given))
  const options = async (): Promise<O> => kind.options.parse((await setting()).options ?? {})
  const opened = async (faultOf: (provider: Provider, how: ModelCase) => Promise<Fault>): Promise<Fault> => {
    const how = await setting()
    const provider = await kind.open(await options(), { cacheFolder: how.cacheFolder ?? '' })
    try {
      return await faultOf(provider, how)
    } finally {
      await provider.close?.()
    }
  }
  const described = [
    ...nameChecks(check, kind),
    check('explains its options', () => {
      const { properties = {} } = z.toJSONSchema(kind.options, { io: 'input', unrepresentable: 'any' })
      const silent = Object.entries(properties).find(([, schema]) => !(schema as { description?: string }).description)
      return silent && `the option "${silent[0]}" says nothing of itself; expected .describe('…')`
    }),
    check('takes the options of every call and refuses an unknown one', async () => {
      const how = (await setting()).options ?? {}
      const { concurrency, retries, timeoutSeconds } = (await options()) as CallOptions
      if (![concurrency, retries, timeoutSeconds].every((value) => typeof value === 'number'))
        return 'lacks concurrency, retries or timeoutSeconds; expected a kind made by defineProvider'
      return kind.options.safeParse({ ...how, 'no such option': 1 }).success
        ? 'accepts the unknown option "no such option"; expected z.strictObject({ … })'
        : undefined
    }),
  ]
  if (typeof given !== 'function' && given.closed !== undefined) return described
  return [
    ...described,
    check('opens and closes again without being asked', () => opened(async () => undefined)),
    check('can what it says', () => opened(async (provider) => abilityFault(kind, provider))),
    check('names what changes its replies, in plain JSON', () =>
      opened((first) => opened(async (second) => parameterFault(kind, first, second))),
    ),
    check('completes, and says how the reply ended', () => opened(completionFault)),
    check('embeds in order, whatever is sent along', () => opened(embeddingFault)),
    check('embeds the tokens of a text', () => opened(tokenFault)),
  ]
}

const { signal } = new AbortController()

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

function abilityFault({ can }: Pick<ProviderKind, 'can'>, provider: Provider): Fault {
  const abilities = (['complete', 'embed', 'embedTokens', 'rerank'] as const).filter((ability) => provider[ability])
  if (abilities.length === 0) return 'can nothing; expected complete, embed, embedTokens or rerank'
  return firstFault(abilities, (ability) =>
    can.includes(ability) ? undefined : `can ${ability}, and "can" does not say so`,
  )
}

function parameterFault({ name }: Pick<ProviderKind, 'name'>, first: Provider, second: Provider): Fault {
  if (first.name !== name) return `its provider is called "${first.name}"; expected "${name}"`
  if (first.model === '') return 'its provider names no model'
  if (!isDeepStrictEqual(JSON.parse(canonicalJson(first.parameters)), JSON.parse(JSON.stringify(first.parameters))))
    return 'its parameters are no plain JSON'
  return isDeepStrictEqual(first.parameters, second.parameters) ? undefined : 'opened twice, its parameters differ'
}

async function completionFault(provider: Provider, { request = plainRequest }: ModelCase): Promise<Fault> {
  if (!provider.complete) return undefined
  const { text, finish, promptTokens = 0, completionTokens = 0 } = await provider.complete(request, signal)
  if (typeof text !== 'string') return `replied ${brief(text)} to "${request.task}"; expected a text`
  if (!['stop', 'length'].includes(finish))
    return `its reply to "${request.task}" ended with ${brief(finish)}; expected "stop" or "length"`
  if (!(promptTokens >= 0 && completionTokens >= 0)) return `counted ${promptTokens} and ${completionTokens} tokens`
  const again = await provider.complete(request, signal)
  return again.text === text ? undefined : `replied ${brief(text)}, then ${brief(again.text)} to "${request.task}"`
}

async function embeddingFault(provider: Provider, { tolerance = 1e-6 }: ModelCase): Promise<Fault> {
  if (!provider.embed) return undefined
  const together = (await provider.embed(texts, 'document', signal)).vectors
  if (together.length !== texts.length) return `gave ${together.length} vectors for ${texts.length} texts`
  const wrong = vectorsFault(together)
  if (wrong !== undefined) return wrong
  for (const [index, text] of texts.entries()) {
    const alone = (await provider.embed([text], 'document', signal)).vectors[0]
    const distance = furthest(alone, together[index])
    if (!(distance <= tolerance))
      return `embeds ${brief(text)} alone otherwise than among others: a number differs by ${distance}; expected at most ${tolerance}`
  }
  return undefined
}

async function tokenFault(provider: Provider): Promise<Fault> {
  if (!provider.embedTokens) return undefined
  const { vectors } = await provider.embedTokens('The lamp broke.', signal)
  if (vectors.length < 3)
    return `gave ${vectors.length} vectors for the tokens of "The lamp broke."; expected 3 or more`
  if (new Set(vectors.map((vector) => vector.length)).size !== 1)
    return 'gave vectors of different lengths for one text'
  const none = (await provider.embedTokens('', signal)).vectors.length
  return none >= 1 ? undefined : 'gave no vector for the empty text; expected one or more'
}

function vectorsFault(vectors: readonly Float32Array[]): Fault {
  if (new Set(vectors.map((vector) => vector.length)).size !== 1) return 'gave vectors of different lengths'
  return firstFault(vectors.entries(), ([index, vector]) => {
    if (!(vector instanceof Float32Array) || !vector.every(Number.isFinite))
      return `vector ${index} is no Float32Array of finite numbers`
    const length = Math.hypot(...vector)
    return length === 0 || Math.abs(length - 1) < 5e-6
      ? undefined
      : `vector ${index} has the length ${length}; expected 1`
  })
}

function furthest(a: Float32Array | undefined, b: Float32Array | undefined): number {
  if (!a || a.length !== b?.length) return Infinity
  return a.reduce((most, value, index) => Math.max(most, Math.abs(value - (b[index] ?? NaN))), 0)
}
