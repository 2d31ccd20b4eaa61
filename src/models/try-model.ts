import type { ModelRole } from '../basics/roles.ts'
import { ModelError } from '../errors.ts'
import type { ModelRecord } from '../records.ts'
import { promptFor } from '../tasks/index.ts'
import type { SampledTask } from '../tasks/task.ts'
import type { Tokenizer } from '../text/tokens.ts'
import type { AnyTask, PromptTemplates } from '../types.ts'
import { singleFlight } from './cache/single-flight.ts'
import { modelClient, type Caller, type ModelClient } from './calls/client.ts'
import { CallError } from './calls/retry.ts'
import { createUsageCounter, type PhaseUsage } from './usage-counter.ts'
import { abilityOf, selectModel, type ModelRequest } from './open-models.ts'
import type { OpenContext, Provider } from './provider.ts'

/** A model of a config, with the roles that test it in the same way. */
export interface TryRequest {
  readonly roles: readonly ModelRole[]
  readonly request: ModelRequest
  /** The tasks that it has to complete. */
  readonly tasks: readonly AnyTask[]
  /** Tokens of the longest text to embed. */
  readonly longest: number
}

/** The result of one test. `yes`: it works; `no`: a run that needs it fails; `but`: it works in another way. */
export interface Finding {
  readonly what: string
  readonly works: 'yes' | 'but' | 'no'
  readonly said: string
}

/** The abilities of a model. */
export interface ModelFindings extends Pick<ModelRecord, 'provider' | 'model' | 'baseUrl'> {
  readonly roles: readonly ModelRole[]
  readonly findings: readonly Finding[]
}

interface TryContext extends Required<Pick<OpenContext, 'cacheFolder' | 'tokenizer'>> {
  readonly signal: AbortSignal
  /** The config's prompts for tasks. */
  readonly templates?: PromptTemplates
}

/** Calls a model once per task, without the cache. Throws UserError if it cannot be opened. */
export async function tryModel(
  { roles, request, tasks, longest }: TryRequest,
  { signal, templates, ...context }: TryContext,
): Promise<ModelFindings> {
  const [role = 'complete'] = roles
  const { kind, options, limits } = await selectModel(role, request)
  const provider = await kind.open(options, context)
  const { model, baseUrl } = provider
  const calls = singleFlight(null)
  const client = modelClient(provider, { ...limits, retries: 1 }, { ...context, calls, templates, signal })
  const tries = {
    complete: () => tryTasks(client, tasks, templates),
    embed: () => tryEmbedding(client, longest),
    rerank: () => tryReranking(client, longest),
  }[abilityOf(role)]
  try {
    const findings = await tries()
    return { roles, provider: kind.name, model, ...(baseUrl !== undefined && { baseUrl }), findings }
  } finally {
    await provider.close?.()
  }
}

const yes = (topic: string, detail: string): Finding => ({ what: topic, works: 'yes', said: detail })
const but = (topic: string, detail: string): Finding => ({ what: topic, works: 'but', said: detail })
const no = (topic: string, detail: string): Finding => ({ what: topic, works: 'no', said: detail })

async function tryTasks(
  client: ModelClient,
  tasks: readonly AnyTask[],
  templates: PromptTemplates = {},
): Promise<readonly Finding[]> {
  const tasksWithSample = tasks.filter((task): task is SampledTask => 'sample' in task)
  const answers: TaskAnswer[] = []
  const findings: Finding[] = []
  for (const task of tasksWithSample) {
    const { usage, error } = await tryCall((caller) => client.complete(task, task.sample, caller))
    findings.push(error ? no(task.name, reasonOf(error)) : findingOf(task, usage))
    if (error?.kind === 'network' || error?.kind === 'timeout')
      return [...findings, no('the rest', 'not tried: the server stopped answering')]
    if (usage.calls > 0) answers.push({ task, usage })
  }
  const rest = tasks.filter((task) => !tasksWithSample.some(({ name }) => name === task.name)).map(({ name }) => name)
  if (rest.length > 0) findings.push(but('other tasks', `not tried (plug-ins give no sample): ${rest.join(', ')}`))
  return [...findings, ...(answers.length > 0 ? settingsOf(client.provider, answers, templates) : [])]
}

interface TaskAnswer {
  readonly task: SampledTask
  readonly usage: PhaseUsage
}

/** Makes a call; returns its usage and either its value or its failure. */
async function tryCall<T>(
  call: (caller: Caller) => Promise<T>,
): Promise<{ readonly usage: PhaseUsage; readonly value?: T; readonly error?: ModelError }> {
  const counter = createUsageCounter()
  const caller: Caller = {
    sample: 0,
    isIndex: false,
    count: (usage) => counter.add('answer', usage),
    noteEmbeddingFailures: () => undefined,
    inTurn: (_task, first) => first(),
  }
  try {
    const value = await call(caller)
    return { value, usage: counter.totals('answer') }
  } catch (error) {
    if (error instanceof ModelError) return { error, usage: counter.totals('answer') }
    throw error
  }
}

function findingOf({ name, reply }: SampledTask, usage: PhaseUsage): Finding {
  const form = reply === 'json' ? 'JSON' : 'text'
  if (usage.cutPrompts > 0)
    return no(
      name,
      `the server read ${usage.promptTokens} tokens, less than half of the prompt: set a longer context (num_ctx of Ollama, --ctx-size of llama.cpp)`,
    )
  if (usage.skippedItems > 0) return but(name, `${form}, ${usage.skippedItems} items left out`)
  return usage.repaired > 0 ? but(name, `${form}, after repair`) : yes(name, form)
}

/** What the server accepts: the schema of the reply, a system message, the field of the token limit. */
function settingsOf(
  provider: Provider,
  answers: readonly TaskAnswer[],
  templates: PromptTemplates,
): readonly Finding[] {
  const tokensField = provider.tokensField?.()
  if (tokensField === undefined) return []
  const withSchema = answers.filter(({ task }) => task.reply === 'json')
  const refusals = withSchema.filter(({ usage }) => usage.withoutSchema > 0).map(({ task }) => task.name)
  const hasSystem = answers.some(({ task }) =>
    promptFor(task, task.sample, templates).messages.some(({ role }) => role === 'system'),
  )
  const isMerged = answers.some(({ usage }) => usage.withoutSystem > 0)
  const schema =
    refusals.length === 0
      ? yes('schema', 'taken')
      : but('schema', `refused (${refusals.join(', ')}): the prompt alone asks for JSON`)
  const system = isMerged
    ? but('system role', 'put at the beginning of the first message of the user')
    : yes('system role', 'taken')
  return [...(withSchema.length > 0 ? [schema] : []), ...(hasSystem ? [system] : []), yes('token field', tokensField)]
}

const first = 'The ferry leaves at nine.'
const distractors = ['The bakery sells bread from rye.', 'A heron stands in the reeds.'] as const

/** Two texts of about `tokens` tokens that differ at their ends only. */
function longTexts(tokens: number, tokenizer: Tokenizer): readonly [string, string] {
  const note = (day: number): string => `On day ${day} the keeper counted ${(day * 37) % 91} birds on the island.`
  const notes = Math.max(1, Math.floor(tokens / tokenizer.count(note(100))) - 1)
  const text = Array.from({ length: notes }, (_, day) => note(day + 1)).join(' ')
  return [`${text} ${first}`, `${text} ${distractors[0]}`]
}

async function tryEmbedding(client: ModelClient, longest: number): Promise<readonly Finding[]> {
  const texts = [first, ...longTexts(longest, client.tokenizer)]
  const { value = [], error } = await tryCall((caller) => client.embed(texts, 'document', caller))
  const [vector, a, b] = value
  if (error || !vector || !a || !b) return [no('embedding', error ? reasonOf(error) : 'no vectors')]
  const isSame = a.every((number, at) => number === b[at])
  return [
    yes('embedding', `a vector has ${vector.length} numbers`),
    readToEnd(isSame, longest, 'another ending gives the same vector; set "window" to the limit of the model'),
  ]
}

const readToEnd = (isSame: boolean, longest: number, why: string): Finding =>
  isSame
    ? no('long text', `of about ${longest} tokens is truncated: ${why}, or make chunks smaller`)
    : yes('long text', `of about ${longest} tokens is not truncated`)

async function tryReranking(client: ModelClient, longest: number): Promise<readonly Finding[]> {
  const texts = [first, ...distractors, ...longTexts(longest, client.tokenizer)]
  const { value = [], error } = await tryCall((caller) => client.rerank('When does the ferry leave?', texts, caller))
  if (error) return [no('reranking', reasonOf(error))]
  const [best = NaN, second = NaN, third = NaN, a, b] = value.map(({ score }) => score)
  return [
    best > second && best > third
      ? yes('reranking', 'the text that answers the question has the highest score')
      : but('reranking', 'a text that does not answer the question has the highest score: is it a rerank model?'),
    readToEnd(a === b, longest, 'another ending scores the same'),
  ]
}

/** The message of a failed call, with its remedy. */
const reasonOf = ({ message, cause }: ModelError): string =>
  cause instanceof CallError && cause.remedy !== undefined ? `${message}; ${cause.remedy}` : message
