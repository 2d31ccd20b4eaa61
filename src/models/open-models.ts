import { mapRoles, type ByRole, type ModelRole } from '../basics/roles.ts'
import { z } from 'zod'
import { UserError } from '../errors.ts'
import type { ModelRecord } from '../records.ts'
import { canonicalJson, hashOf } from '../text/hash.ts'
import { unknownName } from '../text/names.ts'
import type { Tokenizer } from '../text/tokens.ts'
import type { AnyTask, Models, Phase, PromptTemplates } from '../types.ts'
import type { Cache } from './cache/cache.ts'
import { type SharedCalls, singleFlight } from './cache/single-flight.ts'
import { modelClient, type ModelClient } from './calls/client.ts'
import { firstCalls, type Tried } from './calls/first-calls.ts'
import type { Spending } from './calls/spending.ts'
import { sentCalls } from './meter.ts'
import {
  callOptions,
  refusalOf,
  refusalOfTokens,
  type CallOptions,
  type OpenContext,
  type ProviderKind,
} from './provider.ts'
import { providers } from './providers/index.ts'
import { scopedModels, type Scope } from './scoped-models.ts'

/** A kind of model, by its name in the menu or itself, and its options: as written, or parsed already. */
export interface ModelRequest {
  readonly use: string | ProviderKind
  readonly options: unknown
  /** The options as they may be written to disk, where they hold what may not. */
  readonly record?: Readonly<Record<string, unknown>>
}

export interface ModelsContext extends Pick<OpenContext, 'cacheFolder'> {
  /** Told, in a line, what a person should know of a server. */
  readonly warn?: ((line: string) => void) | undefined
  /** Null: nothing is stored; equal calls under way at once are made once all the same. */
  readonly cache: Cache | null
  readonly tokenizer: Tokenizer
  /** Prompts in place of those of the tasks. */
  readonly templates?: PromptTemplates | undefined
  /** Keeps parts of indexes; absent where nothing is kept on disk. */
  readonly kept?: Models['cached']
  /** Ends everything that is under way. */
  readonly signal: AbortSignal
  /** What the calls may spend; no limit where it is absent. */
  readonly spending?: Spending | undefined
  /** The calls of the run, where several processes work on it. */
  readonly shared?: SharedCalls | undefined
}

export interface OpenedModels {
  /** The models as one phase of one question sees them; the phases `answer` and `judge` ask their own. */
  scope(scope: Scope): Models
  /** The calls that scopes have sent, and which of them the results show. */
  readonly sent: Pick<ReturnType<typeof sentCalls>, 'shown' | 'unshown'>
  /** What the manifest says of them; never a key, and `${NAME}` as it was written. */
  describe(): ByRole<ModelRecord>
  /** The same with all values filled in: for hashes, and never written. */
  identify(): ByRole<ModelRecord>
  /** Why the model that a phase asks cannot do a task, in one line; undefined where it can. */
  refusal(phase: Phase, task: AnyTask): string | undefined
  /** Why the embedder cannot embed single tokens, in one line; undefined where it can. */
  refusalOfTokens(): string | undefined
  /** From now on the models in these roles behind a server are tried once first; `stop` is told of one of no use. */
  watch(roles: readonly ModelRole[], stop: (why: UserError) => void): void
  /** Tokens of the longest prompt with its reply that the model of a phase takes, where the config says one. */
  window(phase: Phase): number | undefined
  /** Calls that are worked on at the same time at most: by the model that a phase asks, and by the embedder. */
  atOnce(phase: Phase): Readonly<Record<'complete' | 'embed', number>>
  /** Names of the opened kinds that are no language models: a table names them in a footnote. */
  offline(): readonly string[]
  close(): Promise<void>
}

/** Opens the models of a run; equal requests once. Throws UserError for what is wrong with a request. */
export async function openModels(
  requests: ByRole<ModelRequest>,
  { cache, tokenizer, templates = {}, cacheFolder, kept, warn, signal, spending, shared }: ModelsContext,
): Promise<OpenedModels> {
  const clients: { readonly kind: ProviderKind; readonly options: string; readonly client: Promise<ModelClient> }[] = []
  const first = firstCalls()
  const calls = singleFlight(cache, shared)
  const selected = await allOf(mapRoles(requests, (request, role) => selectModel(role, request)))
  const openOne = async (role: ModelRole, { kind, options, limits, written }: Selected): Promise<ModelClient> => {
    const context = { place: `models.${role}`, variables: variablesIn(written), cacheFolder, tokenizer }
    const provider = await kind.open(options, context)
    return modelClient(provider, limits, {
      tokenizer,
      calls,
      templates,
      signal,
      spending,
      guard: (model) => first.guard(model),
      warn,
    })
  }
  const open = (role: ModelRole, own: Selected): Promise<ModelClient> => {
    const { kind } = own
    const options = canonicalJson(own.options)
    const known = clients.find((one) => one.kind === kind && one.options === options)
    if (known) return known.client
    const client = openOne(role, own)
    clients.push({ kind, options, client })
    return client
  }
  const opened = await allOf(mapRoles(selected, async (own, role) => ({ ...own, client: await open(role, own) })))
  const { complete, answer = complete, judge } = opened
  const embed = opened.embed.client
  const completers: Readonly<Record<Phase, ModelClient>> = {
    index: complete.client,
    retrieve: complete.client,
    answer: answer.client,
    judge: judge.client,
  }
  const sent = sentCalls()
  const { readsTokens } = embed.provider
  const identified = (own: Selected & { readonly client: ModelClient }, role: ModelRole): ModelRecord => ({
    ...recordOf(own.client, own),
    ...(role === 'embed' && readsTokens !== undefined && { readsTokens }),
  })
  return {
    scope: (scope) => ({
      ...scopedModels(
        { completer: completers[scope.phase], embedder: embed, reranker: opened.rerank?.client, templates },
        { ...scope, meter: sent.noted(scope.meter) },
      ),
      ...(kept && { cached: kept }),
    }),
    sent,
    describe: () => mapRoles(opened, (own, role) => writtenRecord(identified(own, role), own)),
    identify: () => mapRoles(opened, identified),
    watch(roles, stop) {
      const models = roles.flatMap((role): readonly Tried[] => {
        const own = role === 'answer' ? answer : opened[role]
        return own ? [{ role, ability: abilityOf(role), ...own }] : []
      })
      const isFirst = ({ client, ability }: Tried, at: number): boolean =>
        models.findIndex((other) => other.client === client && other.ability === ability) === at
      first.begin(models.filter(isFirst), stop)
    },
    refusal: (phase, task) => refusalOf(completers[phase].provider, task),
    atOnce: (phase) => ({ complete: completers[phase].atOnce, embed: embed.atOnce }),
    window: (phase) => completers[phase].provider.window,
    refusalOfTokens: () => refusalOfTokens(embed.provider),
    offline: () => [...new Set(clients.flatMap(({ kind }) => (kind.offline ? [kind.name] : [])))],
    async close() {
      // where a limit has ended the run, calls that are paid for still go on
      if (spending?.signal.aborted) await calls.settled()
      await Promise.all(clients.map(async ({ client }) => (await client).provider.close?.()))
    },
  }
}

async function allOf<T>(promises: ByRole<Promise<T>>): Promise<ByRole<T>> {
  await Promise.allSettled(Object.values(promises))
  const { complete, answer, embed, judge, rerank } = promises
  return {
    complete: await complete,
    embed: await embed,
    judge: await judge,
    ...(answer && { answer: await answer }),
    ...(rerank && { rerank: await rerank }),
  }
}

/** The options that are written as `${NAME}`, with the name. */
const variablesIn = (written: Selected['written']): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(written).flatMap(([option, value]) => {
      const [, name] = (typeof value === 'string' && /^\$\{(\w+)\}$/.exec(value)) || []
      return name === undefined ? [] : [[option, name]]
    }),
  )

/** What a model must be able to do for a role. */
export const abilityOf = (role: ModelRole): Tried['ability'] =>
  role === 'embed' || role === 'rerank' ? role : 'complete'

/** A kind of model that can do what its role needs, and its parsed options. */
interface Selected {
  readonly kind: ProviderKind
  readonly options: unknown
  /** Those of the options that every kind has. */
  readonly limits: CallOptions
  readonly written: Readonly<Record<string, unknown>>
}

/** The kind of a model, and its options checked. Throws UserError for what is wrong with the request. */
export async function selectModel(role: ModelRole, { use, options, record = {} }: ModelRequest): Promise<Selected> {
  const kind = typeof use === 'string' ? ((await providers.load(use)) ?? unknown(role, use)) : use
  const ability = abilityOf(role)
  if (!kind.can.includes(ability)) throw new UserError(`models.${role}: "${kind.name}" cannot ${ability}`)
  const parsed = kind.options.safeParse(options)
  if (parsed.success) return { kind, options: parsed.data, limits: callLimits.parse(parsed.data), written: record }
  const [issue] = parsed.error.issues
  const place = ['models', role, ...(issue?.path ?? [])].join('.')
  throw new UserError(`${place}: ${issue?.message ?? 'not valid'}`)
}

function unknown(role: ModelRole, name: string): never {
  throw new UserError(`models.${role}: ${unknownName('model', name, providers.names)}`)
}

const callLimits = z.object(callOptions)

function recordOf({ provider }: ModelClient, { limits: { price } }: Selected): ModelRecord {
  const { name, model, baseUrl, parameters } = provider
  return { provider: name, model, ...(baseUrl !== undefined && { baseUrl }), parameters, ...(price && { price }) }
}

/** A record with what was written in place of an option's value; `digest` tells values apart. */
function writtenRecord(record: ModelRecord, { options, written }: Selected): ModelRecord {
  const given = options as Readonly<Record<string, unknown>>
  const asWritten = <T>(name: string, value: T): T =>
    name in written && canonicalJson(value) === canonicalJson(given[name]) ? (written[name] as T) : value
  const { model, baseUrl, parameters } = record
  const shown = {
    ...record,
    model: asWritten('model', model),
    ...(baseUrl !== undefined && { baseUrl: asWritten('baseUrl', baseUrl) }),
    parameters: Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, asWritten(name, value)])),
  }
  return canonicalJson(shown) === canonicalJson(record) ? record : { ...shown, digest: hashOf(record).slice(0, 12) }
}
