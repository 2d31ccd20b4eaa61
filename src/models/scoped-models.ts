import { circuitBreaker, maxFailures } from './calls/circuit-breaker.ts'
import { memoise, once } from '../basics/memoise.ts'
import { ModelError } from '../errors.ts'
import { mulberry32, seedFrom } from '../math/random.ts'
import { hashOf } from '../text/hash.ts'
import type { Models, Phase, PromptTemplates } from '../types.ts'
import type { Exchange } from './cache/cache.ts'
import { isLost, type ResolvedCall } from './cache/single-flight.ts'
import { listsByLetter } from '../tasks/answers.ts'
import { askedOf, readHalves, type AskedTask } from './calls/asked-task.ts'
import { completeWithRepair } from './calls/complete-with-repair.ts'
import { type Read } from './calls/read-reply.ts'
import { isAble, type ModelClient, refusalOf } from './calls/client.ts'
import { embeddingUsage, rerankingUsage, total } from './calls/usage-of-texts.ts'
import { embedTexts, embedTokensOf, relevanceIn, rerankTexts } from './calls/embed-and-rerank.ts'
import type { Meter, PhaseUsage } from './meter.ts'
import { limitBinds } from './provider.ts'

/** Whose calls these are. `sample`: the repeat; `seed` starts the random stream; `usualSeeds`: seeds as asked for. */
export interface Scope {
  readonly phase: Phase
  readonly sample: number
  readonly seed: readonly (string | number)[]
  readonly usualSeeds?: boolean
  readonly meter: Meter
  readonly onUsage?: (more: Partial<PhaseUsage>) => void
}

/** The models that a scope asks, and prompts in place of those of the tasks. */
interface ScopeModels {
  readonly completer: ModelClient
  readonly embedder: ModelClient
  readonly reranker?: ModelClient | undefined
  readonly templates: PromptTemplates
}

/** The models of one scope: tasks go to one provider, texts to the other, and every call to the scope's meter. */
export function scopedModels({ completer, embedder, reranker, templates }: ScopeModels, scope: Scope): Models {
  const { tokenizer } = completer
  const replies = completer.provider.replies ?? (listsByLetter(templates) ? 'letter' : undefined)
  const random = mulberry32(seedFrom(...scope.seed))
  const count = (more: Partial<PhaseUsage>) => {
    scope.meter.add(scope.phase, more)
    scope.onUsage?.(more)
  }
  const draw = once(() => count({ draws: 1 }))
  const refused = (message: string) => {
    count({ failed: 1 })
    return new ModelError('refused', message)
  }
  const unable = ({ provider }: ModelClient, ability: string) =>
    refused(`the provider "${provider.name}" cannot ${ability}`)
  const metered = async <T>(call: Promise<T>): Promise<T> => {
    try {
      return await call
    } catch (error) {
      if (error instanceof ModelError) count({ failed: 1 })
      throw error
    }
  }
  const breakerOf = memoise((_task: string) => circuitBreaker<ModelError>())
  /** Counts texts that an index does without. Throws the failure where they are of a question. */
  const lose = (failures: readonly ModelError[]): void => {
    const [failure] = failures
    if (scope.phase !== 'index' && failure) {
      count({ failed: 1 })
      throw failure
    }
    count({ unembedded: failures.length })
    scope.meter.noteUnembedded(failures.map(({ message }) => message))
  }

  return {
    countTokens: (text) => tokenizer.count(text),
    random() {
      draw()
      return random()
    },
    seed(usual) {
      draw()
      return scope.usualSeeds ? usual : seedFrom(...scope.seed, 'seed', usual)
    },
    ...(replies && { replies }),

    ...(reranker && {
      async rerank(question: string, texts: readonly string[]) {
        if (texts.length === 0) return []
        if (!isAble(reranker, 'rerank')) throw unable(reranker, 'rerank')
        const ranked = await metered(rerankTexts(reranker, question, texts))
        count(rerankingUsage(ranked))
        return ranked.map(({ entry }) => relevanceIn(entry))
      },
    }),

    async run(task, input) {
      if (!isAble(completer, 'complete')) throw unable(completer, `complete, which the task "${task.name}" needs`)
      const lacking = refusalOf(completer.provider, task)
      if (lacking !== undefined) throw refused(lacking)
      const asked = askedOf(task, input, scope.sample, templates)
      const key = keyOf(completer, asked)
      const breaker = breakerOf(task.name)
      const ask = (failure: ModelError | undefined): Promise<ResolvedCall<Exchange>> => {
        if (failure) throw notAsked(task.name, failure)
        return completer.calls.takeOne<Exchange>(key, () => completeWithRepair(completer, asked))
      }
      const made = await metered(
        breaker.run(breaker.reserve(1), ask, (call) => (isLost(call) && call.failure) || 'usable'),
      )
      const read = readLast(asked, made)
      count(usageOf(made, read))
      if (made.failure) throw made.failure
      // a stored reply fits no more: the schema's refinements changed without its version
      if ('error' in read) throw new ModelError('reply', `${task.name}: ${read.error}`)
      return read.value
    },

    async embed(texts, role = 'document') {
      if (texts.length === 0) return []
      if (!isAble(embedder, 'embed')) throw unable(embedder, 'embed')
      const embedded = await metered(embedTexts(embedder, texts, role))
      count(embeddingUsage(embedded))
      const failures = embedded.flatMap(({ failure }) => failure ?? [])
      const [failed] = failures
      if (!failed) return embedded.flatMap(({ entry }) => entry.vectors)
      lose(failures)
      // an index does without such a text, whose vector is near to nothing
      const others = failures.length < texts.length ? embedded : await embedTexts(embedder, [lengthText], role)
      const [vector] = others.flatMap(({ entry }) => entry.vectors)
      if (!vector) throw failed
      return embedded.flatMap(({ entry, failure }) => (failure ? new Float32Array(vector.length) : entry.vectors))
    },

    async embedTokens(text) {
      if (!isAble(embedder, 'embedTokens')) throw unable(embedder, 'embed single tokens')
      const embedded = await metered(embedTokensOf(embedder, text))
      count(embeddingUsage([embedded]))
      if (embedded.failure) lose([embedded.failure])
      return embedded.entry.vectors
    },

    tokenIds(text) {
      const ids = embedder.provider.tokenIds?.(text)
      if (!ids) throw unable(embedder, 'tell the tokens of a text')
      return ids
    },
  }
}

const notAsked = (task: string, cause: ModelError): ModelError =>
  new ModelError(
    'reply',
    `${task}: not asked, since the first ${maxFailures} replies were refused or could not be read: ${cause.message}`,
    { cause },
  )

/** Embedded for the length of its vector alone. */
const lengthText = 'How long is a vector?'

/** Raised when entries change their form. */
const keyFormat = 1

/** Hashes stand for provider and schema, which many calls share. A limit counts only where it changes the request. */
function keyOf({ identity, provider }: ModelClient, { request, schemaHash: schema }: AskedTask): string {
  const { task, version, prompt, reply, sample } = request
  const limit = limitBinds(request, provider)
  return hashOf({ keyFormat, provider: identity, task, version, prompt, reply, ...limit, schema, sample })
}

function readLast<T>(task: AskedTask<T>, { entry, failure }: ResolvedCall<Exchange>): Read<T> {
  const [last, before] = entry.replies.toReversed()
  const halves = !failure && entry.halved && task.halves?.()
  if (halves && last && before) return readHalves(task, halves, [before.text, last.text])
  return failure || !last ? { error: failure?.message ?? 'no reply' } : task.read(last.text)
}

function usageOf<T>({ entry, cached, own }: ResolvedCall<Exchange>, read: Read<T>): Partial<PhaseUsage> {
  const { replies, milliseconds } = entry
  const sum = (of: (reply: Exchange['replies'][number]) => number) => total(replies, of)
  const outcome =
    'error' in read ? 'failed' : replies.length > 1 && read.outcome === 'clean' ? 'repaired' : read.outcome
  const [promptTokens, completionTokens] = [sum((reply) => reply.promptTokens), sum((reply) => reply.completionTokens)]
  return {
    calls: replies.length,
    cached: cached ? replies.length : 0,
    promptTokens,
    completionTokens,
    ...(own && {
      sent: replies.length,
      sentPromptTokens: promptTokens,
      sentCompletionTokens: completionTokens,
      sentMilliseconds: milliseconds,
    }),
    estimated: sum((reply) => Number(reply.estimated)),
    cut: sum((reply) => Number(reply.finish === 'length')),
    withoutSchema: sum(({ fallbacks = [] }) => Number(fallbacks.includes('schema'))),
    withoutSystem: sum(({ fallbacks = [] }) => Number(fallbacks.includes('system'))),
    cutPrompts: sum((reply) => Number(reply.cutPrompt ?? false)),
    milliseconds,
    [outcome]: 1,
    skippedItems: 'error' in read ? 0 : read.skipped,
  }
}
