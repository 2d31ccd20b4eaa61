import { setImmediate as nextTurn } from 'node:timers/promises'
import { once } from '../basics/memoise.ts'
import { messageOf, ModelError } from '../errors.ts'
import { mulberry32, seedFrom } from '../math/random.ts'
import { createUsageCounter, inMemoryCache, openModels } from '../models/index.ts'
import { bagOfWords, wordTokens } from '../models/providers/fake.ts'
import { tokenizer } from '../text/tokens.ts'
import { words } from '../text/words.ts'
import type { EmbedRole, Models } from '../types.ts'

/** Answers one task: the value of its reply to an input (annotate it); throw a ModelError to play a failure. */
// declared as a method so that a handler may name the type of its own task's input
export type FakeReply = { reply(input: unknown): unknown }['reply']

export interface FakeOptions {
  /** A handler for every task that will be run, by the task's name. */
  readonly replies?: Readonly<Record<string, FakeReply>>
  /** Default: 42, with which `models.seed(usual)` gives what it is given. */
  readonly seed?: number
  /** Length of the embeddings. */
  readonly dimension?: number
}

const defaultSeed = 42

/** Fake models that record their calls in order. */
export interface FakeModels extends Models {
  readonly calls: readonly { readonly task: string; readonly input: unknown }[]
  readonly embedded: readonly { readonly texts: readonly string[]; readonly role: EmbedRole | undefined }[]
}

/** Deterministic models for tests: `replies` answer tasks, embeddings are hashed bags of words. */
export function fakeModels({ replies = {}, seed = defaultSeed, dimension = 64 }: FakeOptions = {}): FakeModels {
  const calls: { task: string; input: unknown }[] = []
  const embedded: { texts: readonly string[]; role: EmbedRole | undefined }[] = []
  return {
    calls,
    embedded,
    random: mulberry32(seed),
    seed: (defaultValue) => (seed === defaultSeed ? defaultValue : seedFrom(seed, defaultValue)),
    countTokens: (text) => tokenizer('o200k_base').count(text),
    async run(task, input) {
      calls.push({ task: task.name, input })
      const reply = replies[task.name]
      if (!reply) throw new ModelError('refused', `fakeModels has no reply for the task "${task.name}"`)
      const value = await reply(input)
      const { data, error, success } = task.output.safeParse(value)
      if (success) return data
      const problem = `the fake reply to "${task.name}" does not fit: ${messageOf(error)}`
      throw new ModelError('reply', problem, { raw: JSON.stringify(value) })
    },
    async embed(texts, role) {
      embedded.push({ texts: [...texts], role })
      return texts.map((text) => bagOfWords(words(text), dimension))
    },
    embedTokens: async (text) => wordTokens(text).map((word) => bagOfWords([word], dimension)),
    tokenIds: (text) => wordTokens(text).map((word) => seedFrom(word)),
  }
}

/** Models that add the names of their tasks to a set, and reply a turn later, so that a missing await shows. */
export const recordTasks = (models: Models, tasks: Set<string>): Models => ({
  ...models,
  async run(task, input) {
    tasks.add(task.name)
    await nextTurn()
    return models.run(task, input)
  },
})

/** New deterministic models without network and disk cache: `extractive`, and embeddings of words. */
export async function offlineModels(): Promise<Models> {
  const { scope } = await openOfflineModels()
  return scope({ phase: 'index', sample: 0, seed: ['check'], counter: createUsageCounter() })
}

const openOfflineModels = once(() => {
  const tasks = { use: 'extractive', options: {} }
  const { signal } = new AbortController()
  return openModels(
    { complete: tasks, judge: tasks, embed: { use: 'fake', options: {} } },
    { cache: inMemoryCache(), tokenizer: tokenizer('o200k_base'), cacheFolder: '', signal },
  )
})
