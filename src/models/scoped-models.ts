import { ModelError } from '../errors.ts'
import { mulberry32, seedFrom } from '../math/random.ts'
import { hashOf } from '../text/hash.ts'
import type { Models, Phase, Task } from '../types.ts'
import { embedTexts, embedTokensOf } from './embedding.ts'
import type { Embedded, Exchange } from './entry.ts'
import { exchange } from './exchange.ts'
import type { Remembered, Shared } from './memory.ts'
import type { Meter, PhaseUsage } from './meter.ts'
import { isAble, type Opened } from './opened.ts'
import type { CompletionRequest } from './provider.ts'
import { formOf, readReply, type Read } from './read-reply.ts'

/** Whose calls these are. `sample` numbers the repeat of equal calls; `seed` starts the random stream. */
export interface Scope {
  readonly phase: Phase
  readonly sample: number
  readonly seed: readonly (string | number)[]
  readonly meter: Meter
}

/** The models of one scope: tasks go to one provider, texts to the other, and every call to the scope's meter. */
export function modelsOver(completer: Opened, embedder: Opened, shared: Shared, scope: Scope): Models {
  const { memory, tokenizer } = shared
  const count = (more: Partial<PhaseUsage>) => scope.meter.add(scope.phase, more)
  const lacking = ({ provider }: Opened, ability: string) => {
    count({ failed: 1 })
    return new ModelError('refused', `the provider "${provider.name}" cannot ${ability}`)
  }
  /** The call's result, with a failed call counted. */
  const metered = async <T>(call: Promise<T>): Promise<T> => {
    try {
      return await call
    } catch (error) {
      if (error instanceof ModelError) count({ failed: 1 })
      throw error
    }
  }

  return {
    countTokens: (text) => tokenizer.count(text),
    random: mulberry32(seedFrom(...scope.seed)),

    async run(task, input) {
      if (!isAble(completer, 'complete')) throw lacking(completer, `complete, which the task "${task.name}" needs`)
      const request = requestOf(task, input, scope.sample)
      const key = keyOf(completer.identity, request, task.reply === 'json' ? formOf(task.output).hash : undefined)
      const known = memory.find<Exchange>(key)
      const asked = await (known ?? memory.hold(key, exchange(completer, tokenizer, task, request)))
      const read = readLast(task, asked)
      count(usageOf(asked, read))
      if (asked.failure) throw asked.failure
      // a stored reply fits no more: the schema's refinements changed without its version
      if ('error' in read) throw new ModelError('reply', `${task.name}: ${read.error}`)
      return read.value
    },

    async embed(texts, role = 'document') {
      if (texts.length === 0) return []
      if (!isAble(embedder, 'embed')) throw lacking(embedder, 'embed')
      const embedded = await metered(embedTexts(embedder, shared, texts, role))
      count(embeddingUsage(embedded))
      return embedded.flatMap(({ entry }) => entry.vectors)
    },

    async embedTokens(text) {
      if (!isAble(embedder, 'embedTokens')) throw lacking(embedder, 'embed single tokens')
      const embedded = await metered(embedTokensOf(embedder, shared, text))
      count(embeddingUsage([embedded]))
      return embedded.entry.vectors
    },
  }
}

function requestOf<I, T>(task: Task<I, T>, input: I, sample: number): CompletionRequest {
  const { name, version, reply } = task
  const request = { task: name, version, input, prompt: task.prompt(input), reply, sample }
  return reply === 'json' ? { ...request, schema: formOf(task.output).schema } : request
}

/** Raised when entries change their form. */
const keyFormat = 1

/** Hashes stand for what is long and the same in many calls: the provider and the schema. */
function keyOf(identity: string, request: CompletionRequest, schema: string | undefined): string {
  const { task, version, prompt, reply, sample } = request
  return hashOf({ keyFormat, provider: identity, task, version, prompt, reply, schema, sample })
}

function readLast<I, T>(task: Task<I, T>, { entry, failure }: Remembered<Exchange>): Read<T> {
  const last = entry.replies.at(-1)
  return failure || !last ? { error: failure?.message ?? 'no reply' } : readReply(task, last.text)
}

function usageOf<T>({ entry, cached }: Remembered<Exchange>, read: Read<T>): Partial<PhaseUsage> {
  const { replies, milliseconds } = entry
  const sum = (of: (reply: Exchange['replies'][number]) => number) =>
    replies.reduce((total, reply) => total + of(reply), 0)
  const outcome =
    'error' in read ? 'failed' : replies.length > 1 && read.outcome === 'clean' ? 'repaired' : read.outcome
  return {
    calls: replies.length,
    cached: cached ? replies.length : 0,
    promptTokens: sum((reply) => reply.promptTokens),
    completionTokens: sum((reply) => reply.completionTokens),
    estimated: sum((reply) => Number(reply.estimated)),
    cut: sum((reply) => Number(reply.finish === 'length')),
    milliseconds,
    [outcome]: 1,
    skippedItems: 'error' in read ? 0 : read.skipped,
  }
}

/** Texts given twice are counted twice, as the caller asked for them, but took their time once. */
function embeddingUsage(embedded: readonly Remembered<Embedded>[]): Partial<PhaseUsage> {
  const entries = embedded.map(({ entry }) => entry)
  return {
    calls: 1,
    cached: Number(embedded.every(({ cached }) => cached)),
    embeddedTokens: entries.reduce((sum, { tokens }) => sum + tokens, 0),
    estimated: Number(entries.some(({ estimated }) => estimated)),
    milliseconds: [...new Set(entries)].reduce((sum, entry) => sum + entry.milliseconds, 0),
  }
}
