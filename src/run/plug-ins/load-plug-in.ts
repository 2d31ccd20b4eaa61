import { z, type ZodType } from 'zod'
import { memoise } from '../../basics/memoise.ts'
import { isObject } from '../../basics/plain-data.ts'
import { PlugInError, UserError } from '../../errors.ts'
import { canonicalJson } from '../../text/hash.ts'
import { describe } from '../../text/shape-faults.ts'
import type { AnyTask, Corpus, Dataset, Index, IndexStats, Method, Models, Preparation, Scorer } from '../../types.ts'
import { callPlugIn, ofDataset } from '../calls/call-plug-in.ts'
import { shownPath, type PlugIns } from './import-plug-in.ts'
import { askAndWait } from './process/ask-and-wait.ts'
import type { Described, FileKind, IndexMade, NamedTask, Outcome, Work } from './process/messages.ts'
import { startPlugIn, type StartedPlugIn } from './process/started-plug-in.ts'

/** The one plug-in of that kind that a file exports, checked; it runs in processes of its own. Throws UserError. */
export async function loadPlugIn<K extends FileKind>(kind: K, file: string): Promise<PlugIns[K]> {
  return known(JSON.stringify([kind, file])) as PlugIns[K]
}

const processes = new WeakMap<object, () => StartedPlugIn>()

/** Starts a process of a method or scorer in a file; undefined for one of this process. */
export const processOf = (item: object): (() => StartedPlugIn) | undefined => processes.get(item)

const known = memoise((key: string): object => {
  const [kind, file] = JSON.parse(key) as [FileKind, string]
  return { method: methodOf, scorer: scorerOf, dataset: datasetOf }[kind](describedPlugIn(kind, file))
})

type PlugIn = ReturnType<typeof describedPlugIn>

/** A plug-in in a file, as its process describes it. */
function describedPlugIn(kind: FileKind, file: string) {
  const wait = (work: Work): unknown => askAndWait(file, kind, work)
  const described = waitToLoad(kind, file)
  return {
    ...{ ...described, kind, file, name: String(described.data['name']) },
    has: (name: string): boolean => described.functions.includes(name),
    /** What a function of it returns at once, or a field as it is. Throws as the function does. */
    call: (of: string, ...args: readonly unknown[]): unknown =>
      wait({ op: 'call', name: of, args: args.map(withoutFunctions) }),
  }
}

function waitToLoad(kind: FileKind, file: string): Described {
  try {
    return askAndWait(file, kind, { op: 'load', file, kind }) as Described
  } catch (error) {
    if (error instanceof PlugInError) throw new UserError(`${shownPath(file)}: cannot be loaded: ${error.message}`)
    throw error
  }
}

const withoutFunctions = (value: unknown): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).filter(([, field]) => typeof field !== 'function')) : value

const fieldsOf = (plugIn: PlugIn) => ({ ...plugIn.data, options: optionsOf(plugIn) })

/** The options of a plug-in: read by its process, and described here for messages. */
function optionsOf({ file, kind, options: { schema, meta } }: PlugIn): ZodType {
  const here = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0])
  const shape = 'shape' in here ? (here.shape as Readonly<Record<string, ZodType>>) : {}
  const fields = Object.entries(shape).map(([name, field]) => [name, meta[name] ? field.meta(meta[name]) : field])
  const safeParse = (value: unknown): unknown => {
    const read = askAndWait(file, kind, { op: 'parse', value }) as { data: unknown } | { issues: z.core.$ZodIssue[] }
    return 'issues' in read
      ? { success: false, error: new z.ZodError(read.issues) }
      : { success: true, data: read.data }
  }
  const parse = (value: unknown): unknown => {
    const read = safeParse(value) as z.ZodSafeParseResult<unknown>
    if (read.success) return read.data
    throw read.error
  }
  const own = { shape: Object.fromEntries(fields) as object, safeParse, parse }
  return Object.create(
    here,
    Object.fromEntries(Object.entries(own).map(([name, value]) => [name, { value }])),
  ) as ZodType
}

/** What is known with the options alone, asked once. */
const byOptions = <T>(make: (options: unknown) => T): ((options: unknown) => T) => {
  const made = memoise((key: string) => make(JSON.parse(key)))
  return (options) => made(canonicalJson(options))
}

const tasksOf = (plugIn: PlugIn) =>
  byOptions((options): readonly AnyTask[] =>
    (plugIn.call('tasks', options) as readonly NamedTask[]).map(({ stands, ...task }) => ({
      ...task,
      output: z.unknown(),
      prompt: ofProcess,
      ...(stands && { offline: ofProcess }),
    })),
  )

const ofProcess = (): never => {
  throw new Error('a task of a plug-in is rendered and read in its process')
}

function methodOf(plugIn: PlugIn): Method {
  const { file, has, call } = plugIn
  const prepares = plugIn.data['prepares'] as Omit<Preparation, 'make'> | undefined
  const method = {
    ...fieldsOf(plugIn),
    ...(has('tasks') && { tasks: tasksOf(plugIn) }),
    ...(has('answers') && { answers: byOptions((options) => call('answers', options) === true) }),
    ...(has('embedsChunks') && { embedsChunks: byOptions((options) => call('embedsChunks', options) === true) }),
    costs: (facts, options) => {
      const made = call('costs', facts, options)
      if (typeof made !== 'object' || made === null || !('context' in made) || !Array.isArray(made.context)) return made
      const contexts = new Map(facts.queries.map((query, at) => [query.id, (made.context as unknown[])[at]]))
      return { ...made, context: (query: { readonly id: string }) => contexts.get(query.id) }
    },
    ...(prepares && {
      prepares: {
        ...prepares,
        make: (chunks, models, options) => askOnce(plugIn, { op: 'prepare', chunks, options }, models),
      },
    }),
    async index(chunks, models, options, prepared) {
      return indexIn(startPlugIn(file, 'method'), models, { chunks, options, prepared })
    },
  } as Partial<Method> & { costs(facts: Parameters<Method['costs']>[0], options: unknown): unknown }
  processes.set(method, () => startPlugIn(file, 'method'))
  return method as Method
}

/** Has something done by a process that ends then. */
function askOnce({ file, kind }: PlugIn, work: Work, models: Models): Promise<unknown> {
  const started = startPlugIn(file, kind)
  return started.ask(work, models).finally(started.end)
}

/** Builds an index in a process of its method, which ends with it. Throws what the method throws. */
export async function indexIn(
  started: StartedPlugIn,
  models: Models,
  asked: Omit<Extract<Work, { readonly op: 'index' }>, 'op'>,
): Promise<Index> {
  try {
    return indexOf(started, (await started.ask({ op: 'index', ...asked }, models)) as IndexMade)
  } catch (error) {
    await started.end()
    throw error
  }
}

function indexOf(started: StartedPlugIn, made: IndexMade): Index {
  const { limits, nested, concurrency, answers, closes, stats, warnings, graph } = made
  return {
    ...(limits && { limits }),
    ...(nested !== undefined && { nested }),
    ...(concurrency !== undefined && { concurrency }),
    ended: started.ended,
    stats: () => given(stats) as IndexStats,
    warnings: () => given(warnings) as Readonly<Record<string, number>>,
    ...(graph && { graph: () => given(graph) as ReturnType<NonNullable<Index['graph']>> }),
    retrieve: async (query, budget, models) =>
      (await started.ask({ op: 'retrieve', query, budget }, models)) as Awaited<ReturnType<Index['retrieve']>>,
    ...(answers && {
      answer: async (query, passages, models) =>
        (await started.ask({ op: 'answer', query, passages }, models)) as string,
    }),
    async close() {
      if (closes && !started.ended()) await started.ask({ op: 'close' })
      await started.end()
    },
  }
}

function given(outcome: Outcome): unknown {
  if ('failed' in outcome) throw new PlugInError(outcome.failed)
  return outcome.value
}

function scorerOf(plugIn: PlugIn): Scorer {
  const { file, has, data, call } = plugIn
  const scorer = {
    ...fieldsOf(plugIn),
    ...(has('tasks') && { tasks: tasksOf(plugIn)({}) }),
    ...(has('needs') && { needs: byOptions((options) => call('needs', options)) }),
    ...(has('note') && { note: (options: unknown, models: unknown) => call('note', options, models) }),
    ...(has('forLanguage') && {
      forLanguage: (options: unknown, language: string) => call('forLanguage', options, language),
    }),
    ...(has('costs') && { costs: (facts: unknown, options: unknown) => call('costs', facts, options) }),
    columns: has('columns') ? byOptions((options) => call('columns', options)) : data['columns'],
    score: (asked: Parameters<Scorer['score']>[0], models: Models, options: unknown) =>
      askOnce(plugIn, { op: 'score', asked, options, label: plugIn.name }, models),
  }
  processes.set(scorer, () => startPlugIn(file, 'scorer'))
  return scorer as Scorer
}

function datasetOf(plugIn: PlugIn): Dataset {
  const { file, has, name, call } = plugIn
  const where = `${shownPath(file)}: dataset "${name}"`
  const asking = async <T>(started: StartedPlugIn, doing: string, work: Work): Promise<T> => {
    try {
      return (await callPlugIn({ doing, ...ofDataset }, (signal) => started.ask(work, { signal } as Models))) as T
    } catch (error) {
      if (error instanceof UserError) throw error
      throw new UserError(`${where}: ${doing} failed: ${(error as Error).message}`, { cause: error })
    }
  }
  const dataset: Partial<Dataset> = {
    ...fieldsOf(plugIn),
    ...(has('names') && { names: (files, path) => call('names', files, path) as readonly string[] }),
    ...(has('unused') && {
      unused: (files, path, options) => call('unused', files, path, options) as readonly string[],
    }),
    async files(path: string, options: unknown) {
      const started = startPlugIn(file, 'dataset')
      try {
        const files = await asking(started, 'files()', { op: 'files', path, options })
        if (Array.isArray(files)) return files as string[]
        throw new UserError(
          `${where}: files() returned ${(files as { said?: string }).said ?? describe(files)}, expected a list of paths`,
        )
      } finally {
        await started.end()
      }
    },
    async *corpora(path: string, options: unknown) {
      const started = startPlugIn(file, 'dataset')
      try {
        await asking(started, 'corpora()', { op: 'corpora', path, options })
        for (;;) {
          const next = await asking<{ corpus: Corpus } | { done: true }>(started, 'corpora()', { op: 'next' })
          if ('done' in next) return
          yield next.corpus
        }
      } finally {
        await started.end()
      }
    },
  }
  return dataset as Dataset
}
