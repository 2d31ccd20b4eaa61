import { z } from 'zod'
import { UserError } from '../errors.ts'
import type { ModelRecord } from '../records.ts'
import { canonicalJson } from '../text/hash.ts'
import type { Tokenizer } from '../text/tokens.ts'
import type { Models, Phase } from '../types.ts'
import type { Cache } from './cache.ts'
import { callOptions } from './call-options.ts'
import { limit } from './limit.ts'
import { memory } from './memory.ts'
import { modelsOver, type Scope } from './models.ts'
import { opened, type Opened } from './opened.ts'
import type { ProviderKind } from './provider.ts'
import { retry } from './retry.ts'

export type ModelRole = 'complete' | 'embed' | 'judge' | 'answer'

/** Something for each role; the complete model answers where there is none for `answer`. */
export type ByRole<T> = Readonly<Record<Exclude<ModelRole, 'answer'>, T>> & { readonly answer?: T }

/** A kind of model and its parsed options. */
export interface Choice {
  readonly kind: ProviderKind
  readonly options: unknown
}

export interface ModelsContext {
  /** Null: nothing is stored; equal calls under way at once are made once all the same. */
  readonly cache: Cache | null
  readonly tokenizer: Tokenizer
  /** Where built models may be kept. */
  readonly cacheFolder: string
  /** Ends everything that is under way. */
  readonly signal: AbortSignal
}

export interface OpenedModels {
  /** The models as one phase of one question sees them; the phases `answer` and `judge` ask their own. */
  scope(scope: Scope): Models
  /** What the manifest says of them; never a key. */
  describe(): ByRole<ModelRecord>
  /** Names of the opened kinds that are no language models: a table names them in a footnote. */
  offline(): readonly string[]
  close(): Promise<void>
}

/** Opens the chosen kinds, equal choices once, and puts each behind its limit and retries. */
export async function openChosen(
  choices: ByRole<Choice>,
  { cache, tokenizer, cacheFolder, signal }: ModelsContext,
): Promise<OpenedModels> {
  const doors: { readonly kind: ProviderKind; readonly options: string; readonly open: Promise<Opened> }[] = []
  const open = (role: ModelRole): Promise<Opened> => {
    const choice = choices[role] ?? choices.complete
    const { kind, options } = choice
    checkAble(kind, role)
    const key = canonicalJson(options)
    const known = doors.find((door) => door.kind === kind && door.options === key)
    if (known) return known.open
    const door = { kind, options: key, open: openOne(choice, cacheFolder, signal) }
    doors.push(door)
    return door.open
  }
  const [complete, answer, embed, judge] = await Promise.all([
    open('complete'),
    open('answer'),
    open('embed'),
    open('judge'),
  ])
  const completers: Readonly<Record<Phase, Opened>> = { index: complete, retrieve: complete, answer, judge }
  const shared = { memory: memory(cache), tokenizer }
  return {
    scope: (scope) => modelsOver(completers[scope.phase], embed, shared, scope),
    describe: () => ({
      complete: recordOf(complete, choices.complete),
      ...(choices.answer && { answer: recordOf(answer, choices.answer) }),
      embed: recordOf(embed, choices.embed),
      judge: recordOf(judge, choices.judge),
    }),
    offline: () => [...new Set(doors.flatMap(({ kind }) => (kind.offline ? [kind.name] : [])))],
    async close() {
      await Promise.all([...new Set([complete, answer, embed, judge])].map(async ({ provider }) => provider.close?.()))
    },
  }
}

function checkAble(kind: ProviderKind, role: ModelRole): void {
  const ability = role === 'embed' ? 'embed' : 'complete'
  if (!kind.can.includes(ability)) throw new UserError(`models.${role}: "${kind.name}" cannot ${ability}`)
}

const calls = z.object(callOptions)

async function openOne({ kind, options }: Choice, cacheFolder: string, signal: AbortSignal): Promise<Opened> {
  const { concurrency, retries, timeoutSeconds } = calls.parse(options)
  const provider = await kind.open(options, { cacheFolder })
  return opened(provider, limit(concurrency, retry({ retries, timeoutSeconds, signal })))
}

function recordOf({ provider: { name, model, baseUrl, parameters } }: Opened, { options }: Choice): ModelRecord {
  const { price } = calls.parse(options)
  return { provider: name, model, ...(baseUrl !== undefined && { baseUrl }), parameters, ...(price && { price }) }
}
