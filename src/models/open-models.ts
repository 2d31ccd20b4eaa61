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
import { firstCalls, type RoleModel } from './calls/first-calls.ts'
import type { UsageLimiter } from './calls/usage-limit.ts'
import { trackSentCalls } from './usage-counter.ts'
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

/** A kind of model, by name or itself, and its options, raw or parsed. */
export interface ModelRequest {
  readonly use: string | ProviderKind
  readonly options: unknown
  /** The options as they may be written to disk, if they contain secrets. */
  readonly record?: Readonly<Record<string, unknown>>
}

export interface ModelsContext extends Pick<OpenContext, 'cacheFolder'> {
  /** Receives one line about a server's behaviour. */
  readonly warn?: ((line: string) => void) | undefined
  /** Null: nothing is stored; equal calls in flight are shared all the same. */
  readonly cache: Cache | null
  readonly tokenizer: Tokenizer
  /** Prompts in place of those of the tasks. */
  readonly templates?: PromptTemplates | undefined
  /** Aborts calls in flight. */
  readonly signal: AbortSignal
  /** The budget of the calls; absent: unlimited. */
  readonly usageLimiter?: UsageLimiter | undefined
  /** The calls of a distributed run. */
  readonly sharedCalls?: SharedCalls | undefined
}

export interface OpenedModels {
  /** Models scoped to one phase; the phases `answer` and `judge` have their own models. */
  scope(scope: Scope): Models
  /** Calls that scopes have sent and no line of the results contains yet. */
  readonly sentCalls: Pick<ReturnType<typeof trackSentCalls>, 'clear' | 'pending'>
  /** Their records in the manifest, without keys, with `${NAME}` verbatim. */
  describe(): ByRole<ModelRecord>
  /** The same with all values resolved: for hashes, never written. */
  identify(): ByRole<ModelRecord>
  /** Why the model of a phase cannot do a task, in one line; undefined if it can. */
  refusal(phase: Phase, task: AnyTask): string | undefined
  /** Why the embedder cannot embed single tokens, in one line; undefined if it can. */
  refusalOfTokens(): string | undefined
  /** From now on models of these roles behind a server are probed first; `stop` gets the reason if one is unusable. */
  watch(roles: readonly ModelRole[], stop: (why: UserError) => void): void
  /** Tokens of prompt and reply that the model of a phase takes, if configured. */
  window(phase: Phase): number | undefined
  /** Names of the opened kinds that are not language models, for the footnote of tables. */
  offline(): readonly string[]
  close(): Promise<void>
}

/** Opens the models of a run; equal requests share one. Throws UserError for an invalid request. */
export async function openModels(
  requests: ByRole<ModelRequest>,
  { cache, tokenizer, templates = {}, cacheFolder, warn, signal, usageLimiter, sharedCalls }: ModelsContext,
): Promise<OpenedModels> {
  const clients: { readonly kind: ProviderKind; readonly options: string; readonly client: Promise<ModelClient> }[] = []
  const first = firstCalls()
  const calls = singleFlight(cache, sharedCalls)
  const selections = await awaitRoles(mapRoles(requests, (request, role) => selectModel(role, request)))
  const openClient = async (role: ModelRole, { kind, options, limits, record }: Selection): Promise<ModelClient> => {
    const context = { place: `models.${role}`, variables: variablesIn(record), cacheFolder, tokenizer }
    const provider = await kind.open(options, context)
    return modelClient(provider, limits, {
      tokenizer,
      calls,
      templates,
      signal,
      usageLimiter,
      guard: (model) => first.guard(model),
      warn,
    })
  }
  const open = (role: ModelRole, selection: Selection): Promise<ModelClient> => {
    const { kind } = selection
    const options = canonicalJson(selection.options)
    const existing = clients.find((entry) => entry.kind === kind && entry.options === options)
    if (existing) return existing.client
    const client = openClient(role, selection)
    clients.push({ kind, options, client })
    return client
  }
  const clientsByRole = await awaitRoles(
    mapRoles(selections, async (selection, role) => ({ ...selection, client: await open(role, selection) })),
  )
  const { complete, answer = complete, judge } = clientsByRole
  const embed = clientsByRole.embed.client
  const completers: Readonly<Record<Phase, ModelClient>> = {
    index: complete.client,
    retrieve: complete.client,
    answer: answer.client,
    judge: judge.client,
  }
  const sentCallCounts = trackSentCalls()
  const { readsTokens } = embed.provider
  const recordOf = ({ client, limits }: Selection & { readonly client: ModelClient }, role: ModelRole): ModelRecord => {
    const { name, model, baseUrl, parameters } = client.provider
    const { price } = limits
    return {
      provider: name,
      model,
      ...(baseUrl !== undefined && { baseUrl }),
      parameters,
      ...(price && { price }),
      ...(role === 'embed' && readsTokens !== undefined && { readsTokens }),
    }
  }
  return {
    scope: (scope) =>
      scopedModels(
        { completer: completers[scope.phase], embedder: embed, reranker: clientsByRole.rerank?.client, templates },
        { ...scope, counter: sentCallCounts.track(scope.counter) },
      ),
    sentCalls: sentCallCounts,
    describe: () => mapRoles(clientsByRole, (selection, role) => publicRecord(recordOf(selection, role), selection)),
    identify: () => mapRoles(clientsByRole, recordOf),
    watch(roles, stop) {
      const models = roles.flatMap((role): readonly RoleModel[] => {
        const selection = role === 'answer' ? answer : clientsByRole[role]
        return selection ? [{ role, ability: abilityOf(role), ...selection }] : []
      })
      const isFirst = ({ client, ability }: RoleModel, at: number): boolean =>
        models.findIndex((model) => model.client === client && model.ability === ability) === at
      first.begin(models.filter(isFirst), stop)
    },
    refusal: (phase, task) => refusalOf(completers[phase].provider, task),
    window: (phase) => completers[phase].provider.window,
    refusalOfTokens: () => refusalOfTokens(embed.provider),
    offline: () => [...new Set(clients.flatMap(({ kind }) => (kind.offline ? [kind.name] : [])))],
    async close() {
      // after the budget is used up, paid calls still finish
      if (usageLimiter?.signal.aborted) await calls.drain()
      await Promise.all(clients.map(async ({ client }) => (await client).provider.close?.()))
    },
  }
}

/** Waits for all, also if one fails. */
export async function awaitRoles<T>(promises: ByRole<Promise<T>>): Promise<ByRole<T>> {
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

/** The names of variables, by option written as `${NAME}`. */
const variablesIn = (record: Selection['record']): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(record).flatMap(([option, value]) => {
      const [, name] = (typeof value === 'string' && /^\$\{(\w+)\}$/.exec(value)) || []
      return name === undefined ? [] : [[option, name]]
    }),
  )

/** The ability that a role requires. */
export const abilityOf = (role: ModelRole): RoleModel['ability'] =>
  role === 'embed' || role === 'rerank' ? role : 'complete'

/** A kind of model with its role's ability, and its parsed options. */
interface Selection {
  readonly kind: ProviderKind
  readonly options: unknown
  /** The options common to all kinds. */
  readonly limits: CallOptions
  readonly record: Readonly<Record<string, unknown>>
}

/** Loads the kind of a model and parses its options. Throws UserError for an invalid request. */
export async function selectModel(role: ModelRole, { use, options, record = {} }: ModelRequest): Promise<Selection> {
  const kind = typeof use === 'string' ? ((await providers.load(use)) ?? unknown(role, use)) : use
  const ability = abilityOf(role)
  if (!kind.can.includes(ability)) throw new UserError(`models.${role}: "${kind.name}" cannot ${ability}`)
  const result = kind.options.safeParse(options)
  if (result.success) return { kind, options: result.data, limits: callLimits.parse(result.data), record }
  const [issue] = result.error.issues
  const place = ['models', role, ...(issue?.path ?? [])].join('.')
  throw new UserError(`${place}: ${issue?.message ?? 'not valid'}`)
}

function unknown(role: ModelRole, name: string): never {
  throw new UserError(`models.${role}: ${unknownName('model', name, providers.names)}`)
}

const callLimits = z.object(callOptions)

/** A record with `${NAME}` in place of values; `digest` distinguishes different values. */
function publicRecord(model: ModelRecord, { options, record }: Selection): ModelRecord {
  const values = options as Readonly<Record<string, unknown>>
  const originalOf = <T>(name: string, value: T): T =>
    name in record && canonicalJson(value) === canonicalJson(values[name]) ? (record[name] as T) : value
  const { baseUrl, parameters } = model
  const entries = Object.entries(parameters)
  const originalParameters = entries.map(([name, value]): [string, unknown] => [name, originalOf(name, value)])
  const original = {
    ...model,
    model: originalOf('model', model.model),
    ...(baseUrl !== undefined && { baseUrl: originalOf('baseUrl', baseUrl) }),
    parameters: Object.fromEntries(originalParameters),
  }
  return canonicalJson(original) === canonicalJson(model) ? model : { ...original, digest: hashOf(model).slice(0, 12) }
}
