import { slices } from '../basics/collections.ts'
import type { ModelRole } from '../basics/roles.ts'
import { ModelError } from '../errors.ts'
import type { ModelRecord } from '../records.ts'
import type { SampledTask } from '../tasks/task.ts'
import type { AnyTask, PromptTemplates } from '../types.ts'
import { askedOf } from './calls/asked-task.ts'
import { counted, promptTokensOf } from './calls/complete-once.ts'
import { CallError, retry, type Send } from './calls/retry.ts'
import { abilityOf, selectModel, type ModelRequest } from './open-models.ts'
import { replyLimit, type CallOptions, type Fallback, type OpenContext, type Provider } from './provider.ts'

/** A model of a config, in the roles in which it is asked the same. */
export interface WantedTry {
  readonly roles: readonly ModelRole[]
  readonly request: ModelRequest
  /** What it is going to be asked to complete. */
  readonly tasks: readonly AnyTask[]
  /** Tokens of the longest text that is embedded. */
  readonly longest: number
}

/** What one call has shown. `yes`: it works; `no`: a run that needs it fails; `but`: it works in another way. */
export interface Finding {
  readonly what: string
  readonly works: 'yes' | 'but' | 'no'
  readonly said: string
}

/** What a model can do. */
export interface TriedModel extends Pick<ModelRecord, 'provider' | 'model' | 'baseUrl'> {
  readonly roles: readonly ModelRole[]
  readonly findings: readonly Finding[]
}

interface TryContext extends Required<Pick<OpenContext, 'cacheFolder' | 'tokenizer'>> {
  readonly signal: AbortSignal
  /** Words of the config for tasks. */
  readonly templates?: PromptTemplates
}

/** Calls a model once for each of its tasks, without the call cache. Throws UserError where it cannot be opened. */
export async function tryModel(
  { roles, request, tasks, longest }: WantedTry,
  { signal, templates = {}, ...context }: TryContext,
): Promise<TriedModel> {
  const [role = 'complete'] = roles
  const { kind, options } = await selectModel(role, request)
  const provider = await kind.open(options, context)
  const { model, baseUrl } = provider
  const { timeoutSeconds = 300 } = options as Partial<CallOptions>
  const bench = {
    provider,
    tokenizer: context.tokenizer,
    templates,
    send: retry({ retries: 1, timeoutSeconds, signal }),
  }
  const tries = {
    complete: () => tryTasks(bench, tasks),
    embed: () => tryEmbedding(bench, longest),
    rerank: () => tryReranking(bench, longest),
  }[abilityOf(role)]
  try {
    const findings = await tries()
    return { roles, provider: kind.name, model, ...(baseUrl !== undefined && { baseUrl }), findings }
  } finally {
    await provider.close?.()
  }
}

interface Bench extends Required<Pick<TryContext, 'tokenizer' | 'templates'>> {
  readonly provider: Provider
  readonly send: Send
}

const yes = (what: string, said: string): Finding => ({ what, works: 'yes', said })
const but = (what: string, said: string): Finding => ({ what, works: 'but', said })
const no = (what: string, said: string): Finding => ({ what, works: 'no', said })

async function tryTasks(bench: Bench, tasks: readonly AnyTask[]): Promise<readonly Finding[]> {
  const sampled = tasks.filter((task): task is SampledTask => 'sample' in task)
  const answered: TriedTask[] = []
  const findings: Finding[] = []
  for (const task of sampled) {
    const made = await valueOrError(() => tryTask(bench, task))
    if ('error' in made) {
      findings.push(no(task.name, reasonOf(made.error)))
      if (isLost(made.error))
        return [...findings, no('the rest', 'not tried, since the server did not answer any more')]
    } else {
      answered.push(made.value)
      findings.push(made.value.finding)
    }
  }
  const others = tasks.filter((task) => !sampled.some(({ name }) => name === task.name)).map(({ name }) => name)
  if (others.length > 0)
    findings.push(but('other tasks', `not tried, since plug-ins give no sample of them: ${others.join(', ')}`))
  return [...findings, ...(answered.length > 0 ? settingsOf(bench.provider, answered) : [])]
}

interface TriedTask {
  readonly task: SampledTask
  readonly hasSystem: boolean
  readonly fallbacks: readonly Fallback[]
  readonly finding: Finding
}

/** Asks a task once, of its sample, as a run does. Throws ModelError. */
async function tryTask({ provider, tokenizer, templates, send }: Bench, task: SampledTask): Promise<TriedTask> {
  const { complete } = provider
  if (!complete) throw new Error(`${provider.name} cannot complete`)
  const { request, read } = askedOf(task, task.sample, 0, templates)
  const reply = counted(await send((signal) => complete(request, signal)), request, tokenizer)
  const { text, finish, fallbacks = [], cutPrompt, promptTokens } = reply
  const tried = { task, fallbacks, hasSystem: request.prompt.messages.some(({ role }) => role === 'system') }
  const told = (finding: Finding): TriedTask => ({ ...tried, finding })
  if (finish === 'filter') return told(no(task.name, "the server's content filter refused the reply"))
  if (cutPrompt)
    return told(
      no(
        task.name,
        `the server read ${promptTokens} of about ${promptTokensOf(request, tokenizer)} tokens of the prompt: give it a longer context (num_ctx of Ollama, --ctx-size of llama.cpp)`,
      ),
    )
  const value = read(text)
  if ('error' in value)
    return told(
      no(
        task.name,
        finish === 'length'
          ? `the reply ended at its limit of ${replyLimit(request, provider.maxTokens)} tokens: set a larger maxTokens`
          : `the reply cannot be read: ${value.error}`,
      ),
    )
  const { outcome, skipped } = value
  const form = task.reply === 'json' ? 'JSON' : 'text'
  if (outcome === 'clean') return told(yes(task.name, form))
  return told(but(task.name, `${form}, ${outcome === 'repaired' ? 'after repair' : `${skipped} items left out`}`))
}

/** What the server takes of a request: the schema of the reply, a system message, the field of the limit. */
function settingsOf(provider: Provider, tried: readonly TriedTask[]): readonly Finding[] {
  const tokensField = provider.tokensField?.()
  if (tokensField === undefined) return []
  const withSchema = tried.filter(({ task }) => task.reply === 'json')
  const refused = withSchema.filter(({ fallbacks }) => fallbacks.includes('schema')).map(({ task }) => task.name)
  const isMerged = tried.some(({ fallbacks }) => fallbacks.includes('system'))
  return [
    ...(withSchema.length === 0
      ? []
      : refused.length === 0
        ? [yes('schema', 'taken')]
        : [but('schema', `refused (${refused.join(', ')}): the prompt alone asks for JSON`)]),
    ...(!tried.some(({ hasSystem }) => hasSystem)
      ? []
      : isMerged
        ? [but('system role', 'put at the beginning of the first message of the user')]
        : [yes('system role', 'taken')]),
    yes('token field', tokensField),
  ]
}

const first = 'The ferry leaves at nine.'
const others = ['The bakery sells bread from rye.', 'A heron stands in the reeds.'] as const

/** Two texts of so many tokens that differ at their ends alone. */
function longTexts(tokens: number, { tokenizer }: Bench): readonly [string, string] {
  const note = (day: number): string => `On day ${day} the keeper counted ${(day * 37) % 91} birds on the island.`
  const notes = Math.max(1, Math.floor(tokens / tokenizer.count(note(100))) - 1)
  const text = Array.from({ length: notes }, (_, day) => note(day + 1)).join(' ')
  return [`${text} ${first}`, `${text} ${others[0]}`]
}

async function tryEmbedding(bench: Bench, longest: number): Promise<readonly Finding[]> {
  const { embed } = bench.provider
  if (!embed) throw new Error(`${bench.provider.name} cannot embed`)
  const what = 'embedding'
  const made = await vectorsOf(bench, [first, ...longTexts(longest, bench)], (texts, signal) =>
    embed(texts, 'document', signal),
  )
  if ('error' in made) return [no(what, reasonOf(made.error))]
  const [vector, a, b] = made.value
  if (!vector || !a || !b) return [no(what, `${made.value.length} vectors for 3 texts`)]
  const isUsable = vector.length > 0 && vector.every(Number.isFinite) && vector.some(Boolean)
  if (!isUsable)
    return [
      no(
        what,
        `the vector has ${vector.length} parts that are no numbers or all 0: a server may give one vector for each token, and needs a pooling (--pooling of llama.cpp)`,
      ),
    ]
  const same = a.every((value, at) => value === b[at])
  return [
    yes(what, `a vector has ${vector.length} numbers`),
    readToEnd(same, longest, 'another ending gives the same vector; set "window" to what the model reads'),
  ]
}

const readToEnd = (same: boolean, longest: number, why: string): Finding =>
  same
    ? no('long text', `of about ${longest} tokens is not read to its end: ${why}, or make chunks smaller`)
    : yes('long text', `of about ${longest} tokens is read to its end`)

async function tryReranking(bench: Bench, longest: number): Promise<readonly Finding[]> {
  const { rerank } = bench.provider
  if (!rerank) throw new Error(`${bench.provider.name} cannot rerank`)
  const what = 'reranking'
  const made = await vectorsOf(bench, [first, ...others, ...longTexts(longest, bench)], (texts, signal) =>
    rerank('When does the ferry leave?', texts, signal),
  )
  if ('error' in made) return [no(what, reasonOf(made.error))]
  const [best = NaN, second = NaN, third = NaN, a, b] = made.value.map(([score]) => score)
  if (a === undefined || b === undefined) return [no(what, `${made.value.length} scores for 5 texts`)]
  return [
    best > second && best > third
      ? yes(what, 'the text that answers the question has the highest score')
      : but(what, 'a text that does not answer the question has the highest score: is it a rerank model?'),
    readToEnd(a === b, longest, 'another ending scores the same'),
  ]
}

/** Embeds or scores texts in one call, or as few as the config allows. */
const vectorsOf = (
  { provider: { batch = Infinity }, send }: Bench,
  texts: readonly string[],
  call: (texts: readonly string[], signal: AbortSignal) => Promise<{ readonly vectors: readonly Float32Array[] }>,
): Promise<Outcome<readonly Float32Array[]>> =>
  valueOrError(async () => {
    const vectors: Float32Array[] = []
    for (const some of slices(texts, batch)) vectors.push(...(await send((signal) => call(some, signal))).vectors)
    return vectors
  })

type Outcome<T> = { readonly value: T } | { readonly error: ModelError }

async function valueOrError<T>(call: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { value: await call() }
  } catch (error) {
    if (error instanceof ModelError) return { error }
    throw error
  }
}

const isLost = ({ kind }: ModelError): boolean => kind === 'network' || kind === 'timeout'

/** What a failed call is said to be, with what a person can do. */
const reasonOf = ({ message, cause }: ModelError): string =>
  cause instanceof CallError && cause.remedy !== undefined ? `${message}; ${cause.remedy}` : message
