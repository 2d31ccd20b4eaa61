import { AsyncLocalStorage } from 'node:async_hooks'
import { Console } from 'node:console'
import { z } from 'zod'
import { frozen, plainData } from '../../../basics/plain-data.ts'
import { messageOf, ModelError, UserError } from '../../../errors.ts'
import type { AnyTask, Corpus, CorpusFacts, Dataset, Index, Method, Models, Scorer } from '../../../types.ts'
import { tasksOf } from '../../../define.ts'
import { checkGraph, checkIndex, statsOf, warningsOf } from '../../asking/check-index.ts'
import { copyCorpus, copyRanking, copyScore } from '../../calls/copies.ts'
import { plainError } from '../../calls/plain-error.ts'
import { describe } from '../../../text/shape-faults.ts'
import { tokenizer, type TokenizerName } from '../../../text/tokens.ts'
import { importPlugIn, placedMessageOf, placeOf } from '../import-plug-in.ts'
import type {
  Described,
  Failure,
  FileKind,
  IndexMade,
  ModelReply,
  NamedTask,
  Outcome,
  Request,
  Work,
} from './messages.ts'
import { modelsOfProcess } from './models-there.ts'

// The process of a plug-in in a file: it loads the file, does what it is asked, and ends with the process that started
// it.

// kept before the plug-in can replace them
const send = process.send?.bind(process)
const tell = (said: object): void => void send?.(said)
process.on('disconnect', () => process.exit())
globalThis.console = new Console(process.stdout, process.stdout)

interface UnderWay {
  readonly id: number
  /** The function of the plug-in, as it stands in messages. */
  readonly doing: string
  fail(error: unknown): void
}

const current = new AsyncLocalStorage<UnderWay>()
const underWay = new Map<number, UnderWay>()
const models = modelsOfProcess(tell)

process.on('unhandledRejection', onUncaught)
process.on('uncaughtException', onUncaught)
process.on('message', (message: Request | ModelReply) => {
  if ('call' in message) models.take(message)
  else void take(message)
})

/** An error that nobody caught fails the request that it belongs to, or the only one; after it, it is told. */
function onUncaught(error: unknown): void {
  const call = current.getStore()
  const [only, ...others] = underWay.values()
  const blamed = call ?? (others.length === 0 ? only : undefined)
  if (blamed && underWay.has(blamed.id)) blamed.fail(error)
  else
    tell({
      late: `failed outside every call${call ? `, after ${call.doing}` : ''}: ${placedMessageOf(plainError(error, 'it'))}; no row is changed`,
    })
}

async function take(request: Request): Promise<void> {
  const { id } = request
  const doing = doingOf(request)
  let fail: (error: unknown) => void = () => undefined
  const failed = new Promise<never>((_, reject) => (fail = reject))
  const call: UnderWay = { id, doing, fail }
  underWay.set(id, call)
  try {
    const value = await Promise.race([current.run(call, async () => work(request, models.of(request))), failed])
    tell({ id, value })
  } catch (error) {
    tell({ id, error: failureOf(error, request, doing) })
  } finally {
    underWay.delete(id)
  }
}

const doingOf = (request: Request): string =>
  request.op === 'call' ? `${request.name}()` : (doings[request.op] ?? `${request.op}()`)

const doings: Partial<Record<Request['op'], string>> = {
  ...{ load: 'loading it', prepare: 'prepares.make()', next: 'corpora()' },
}

function failureOf(error: unknown, { op }: Pick<Request, 'op'>, doing: string): Failure {
  const number = models.numberOf(error)
  if (number !== undefined) return { message: '', error: number }
  // what is thrown may be made so that it cannot be read
  const plain = plainError(error, doing)
  const failed = { message: placedMessageOf(plain) }
  try {
    if (error instanceof UserError) return mends.has(op) ? { message: error.message, mend: true } : failed
    // the stand-in of a task has thrown
    const place = error instanceof ModelError ? placeOf(error.cause) : undefined
    return place === undefined ? failed : { message: `${messageOf(error)} (${place})` }
  } catch {
    return failed
  }
}

/** What is for a person to mend where it throws a UserError; elsewhere it is a failure as any other. */
const mends: ReadonlySet<Request['op']> = new Set(['load', 'parse', 'call', 'files', 'corpora', 'next'])

let loaded: { readonly kind: FileKind; readonly item: object } | undefined
let index: Index | undefined
let reading: AsyncIterator<Corpus> | undefined

// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters
const itemOf = <T>(): T => {
  if (!loaded) throw new Error('nothing is loaded')
  return loaded.item as T
}
const indexOf = (): Index => {
  if (!index) throw new Error('there is no index')
  return index
}

async function work(request: Request, own: Models): Promise<unknown> {
  switch (request.op) {
    case 'load': {
      const { kind, file } = request
      loaded = { kind, item: await importPlugIn(kind, file) }
      return described(loaded.item)
    }
    case 'parse':
      return parsed(itemOf<Method>().options, request.value)
    case 'call':
      return called(request.name, request.args)
    case 'prepare': {
      const { chunks, options } = request
      return checkedPart(await itemOf<Method>().prepares?.make(frozen(chunks), Object.freeze(own), frozen(options)))
    }
    case 'index':
      return indexed(request, own)
    case 'retrieve': {
      const { query, budget } = frozen(request)
      return copyRanking(await indexOf().retrieve(query, budget, Object.freeze(own)), itemOf<Method>().name)
    }
    case 'answer': {
      const { query, passages } = frozen(request)
      const said: unknown = await indexOf().answer?.(query, passages, Object.freeze(own))
      return typeof said === 'string' ? said : { said: describe(said) }
    }
    case 'close':
      return indexOf().close?.()
    case 'score': {
      const { asked, options, label } = frozen(request)
      const scorer = itemOf<Scorer>()
      return copyScore(await scorer.score(asked, Object.freeze(own), options), label)
    }
    case 'files': {
      const files: unknown = await itemOf<Dataset>().files(request.path, frozen(request.options))
      return Array.isArray(files) && files.every((file) => typeof file === 'string') ? files : { said: describe(files) }
    }
    case 'corpora': {
      reading = itemOf<Dataset>().corpora(request.path, frozen(request.options))[Symbol.asyncIterator]()
      return undefined
    }
    case 'next': {
      const next = await reading?.next()
      return next === undefined || next.done ? { done: true } : { corpus: copyCorpus(next.value) }
    }
    case 'read': {
      const asked = models.task(request.task)
      const read = await asked.read(request.reply)
      return 'error' in read ? read : { ...read, value: asked.values.push(read.value) - 1 }
    }
    case 'standIn':
      return models.task(request.task).standIn?.()
  }
}

type Indexing = Extract<Work, { readonly op: 'index' }>

async function indexed({ chunks, options, prepared }: Indexing, own: Models): Promise<IndexMade> {
  const method = itemOf<Method>()
  const made = await method.index(frozen(chunks), Object.freeze(own), frozen(options), frozen(prepared))
  index = checkIndex(made, method.name)
  const known = index
  const { limits, nested, concurrency } = known
  return {
    ...{ answers: known.answer !== undefined, closes: known.close !== undefined },
    ...(limits && { limits }),
    ...(nested !== undefined && { nested }),
    ...(concurrency !== undefined && { concurrency }),
    stats: outcomeOf('stats()', () => statsOf(known, method.name)),
    warnings: outcomeOf('warnings()', () => warningsOf(known, method.name)),
    ...(known.graph && { graph: outcomeOf('graph()', () => graphOf(known, method.name)) }),
  }
}

/** The part, which goes to other processes. Throws Error for what would not arrive as it is. */
function checkedPart(part: unknown): unknown {
  const seen = new Set<unknown>()
  const check = (value: unknown): void => {
    if (typeof value === 'function' || typeof value === 'symbol') throw new Error(notData(`a ${typeof value}`))
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || seen.has(value)) return
    seen.add(value)
    const prototype = Object.getPrototypeOf(value) as { readonly constructor?: { readonly name: string } } | null
    if (prototype !== null && !dataPrototypes.includes(prototype))
      throw new Error(notData(`an object of the class ${prototype.constructor?.name ?? ''}`))
    if (value instanceof Map) for (const [key, one] of value) [key, one].forEach(check)
    else for (const one of value instanceof Set ? value : Object.values(value)) check(one)
  }
  check(part)
  return part
}

const dataPrototypes: readonly object[] = [Object, Array, Map, Set, Date].map(({ prototype }) => prototype as object)

const notData = (found: string): string =>
  `prepares.make() returned ${found}: the part goes to other processes, so it must be data (plain objects, lists, Maps, Sets, typed arrays, texts, numbers)`

const graphOf = (known: Index, method: string): unknown => known.graph && plainData(checkGraph(known.graph(), method))

function outcomeOf(doing: string, make: () => unknown): Outcome {
  try {
    return { value: make() }
  } catch (error) {
    return { failed: placedMessageOf(plainError(error, doing)) }
  }
}

/** A function of the plug-in that returns at once; functions in what it is given and returns are lost. */
function called(name: string, args: readonly unknown[]): unknown {
  const item = itemOf<Readonly<Record<string, unknown>>>()
  if (name === 'tasks') return tasksOf(itemOf<Method>(), args[0]).map(named)
  const made = item[name]
  if (typeof made !== 'function') return made
  if (name !== 'costs') return (made as (...given: unknown[]) => unknown).apply(item, [...frozen(args)])
  return costsOf(args)
}

const named = (task: AnyTask): NamedTask => ({
  ...{ name: task.name, version: task.version, reply: task.reply },
  stands: task.offline !== undefined,
})

/** The costs of a method, with the context of each query worked out; those of a scorer as they are. */
function costsOf([given, options]: readonly unknown[]): unknown {
  const { tokens = 'o200k_base', ...facts } = given as { readonly tokens?: TokenizerName }
  const whole = frozen({ ...facts, countTokens: (text: string) => tokenizer(tokens).count(text) })
  const costs: unknown = itemOf<Method>().costs(whole as CorpusFacts, frozen(options))
  if (typeof costs !== 'object' || costs === null || !('context' in costs) || typeof costs.context !== 'function')
    return costs
  const { queries = [] } = facts as { readonly queries?: readonly object[] }
  const context = costs.context as (query: object) => unknown
  return { ...costs, context: queries.map((query) => context(query)) }
}

function parsed(options: unknown, value: unknown): unknown {
  const read = (options as z.ZodType).safeParse(value)
  if (read.success) return { data: read.data }
  return { issues: read.error.issues.map((issue) => plainData({ ...issue, input: undefined })) }
}

function described(item: object): Described {
  const fields = Object.entries(item).filter(([name]) => name !== 'options')
  const isData = (value: unknown): boolean => value !== undefined && typeof value !== 'function'
  const data = Object.fromEntries(
    fields.flatMap(([name, value]) =>
      isData(value) && name !== 'tasks' && name !== 'paperCalls' ? [[name, plainData(value)]] : [],
    ),
  )
  const functions = fields.flatMap(([name, value]) => (typeof value === 'function' || name === 'tasks' ? [name] : []))
  const { options } = item as { readonly options: z.ZodType }
  const shape = 'shape' in options ? (options.shape as Readonly<Record<string, z.ZodType>>) : {}
  const meta = Object.entries(shape).flatMap(([name, field]) => {
    const said = field.meta()
    return said ? [[name, plainData(said) as Readonly<Record<string, unknown>>] as const] : []
  })
  const schema = z.toJSONSchema(options, { io: 'input', unrepresentable: 'any' })
  return { data, functions, options: { schema: plainData(schema), meta: Object.fromEntries(meta) } }
}
