import { ModelError, type ModelErrorKind } from '../errors.ts'
import { fakeModels, type FakeOptions } from '../testing/fake-models.ts'
import { methods } from '../methods/index.ts'
import type { Budget, Chunk, Method, Models, Part, Passage, Query } from '../types.ts'

/** A chunk of a document, at a place of its own. */
export const chunkAt = (position: number, text: string, more: Partial<Chunk> = {}): Chunk => {
  const start = position * 100
  return { id: `c${position}`, documentId: 'd', position, start, end: start + text.length, text, tokens: 9, ...more }
}

/** Chunks given as `document: start text`. */
export const chunksOf = (...lines: readonly string[]): Chunk[] =>
  lines.map((line, index) => {
    const [, documentId = '', start = '', text = ''] = /^(\w+): (\d+) (.*)$/.exec(line) ?? []
    const end = Number(start) + text.length
    return { id: `c${index}`, documentId, position: index, start: Number(start), end, text, tokens: 1 }
  })

/** What a method is asked: a text, its options, what the models reply or the models themselves, and a budget. */
interface Asked extends Partial<Pick<Query, 'text' | 'evidence'>> {
  readonly replies?: FakeOptions['replies']
  readonly options?: unknown
  readonly models?: Models
  readonly budget?: Partial<Budget>
}

const wide = { passages: 50, tokens: 10_000 }

/** What a method finds among chunks, and what it says and asks of its models, which are fake unless given. */
export async function ask(method: Method, chunks: readonly Chunk[], asked: Asked = {}) {
  const { options = {}, replies = {}, models, budget, ...query } = asked
  const { calls, embedded, ...fake } = fakeModels({ replies })
  const used = models ?? fake
  const index = await method.index(chunks, used, method.options.parse(options))
  const indexCalls = calls.length
  const passages = await index.retrieve({ id: 'q7', text: '', ...query }, { ...wide, ...budget }, used)
  return {
    index,
    passages,
    why: passages[0]?.why ?? {},
    stats: index.stats?.() ?? {},
    warnings: index.warnings?.() ?? {},
    graph: index.graph?.(),
    calls,
    queryTasks: calls.slice(indexCalls).map(({ task }) => task),
    embedded,
  }
}

/** A reply of a model that fails: it cannot be read, or the content filter refuses it. */
export const failing = (kind: ModelErrorKind) => (): never => {
  throw new ModelError(kind, `played ${kind}`)
}

/** A method by its name, as an entry of a config, or itself. */
export type MethodEntry = string | Entry | Method

type Entry = Readonly<Record<string, unknown>> & { readonly use: string }

/** A method that asks others, as a config makes it: `asking(mmr, 'bm25')`, or with options, or a method itself. */
export async function asking(method: Method, ...of: readonly MethodEntry[]): Promise<Method> {
  const parts = await Promise.all(
    of.map(async (entry): Promise<Part> => {
      if (isMethod(entry)) return { method: entry, options: {} }
      const { use, ...options } = typeof entry === 'string' ? { use: entry } : entry
      const found = await methods.load(use)
      if (!found) throw new Error(`no method ${use}`)
      return { method: found, options: found.options.parse(options) }
    }),
  )
  return { ...method, ...method.over?.(parts) }
}

/** Chunks of one document with these texts. */
export const documentOf = (...texts: readonly string[]): readonly Chunk[] =>
  texts.map((text, position) => {
    const start = texts.slice(0, position).reduce((sum, one) => sum + one.length + 2, 0)
    return { id: `c${position}`, documentId: 'd', position, start, end: start + text.length, text, tokens: 3 }
  })

/** The places of chunks that a ranking holds. */
export const rankedIds = (passages: readonly Passage[]): readonly string[] => passages.map(({ from }) => from.join('+'))

const isMethod = (entry: MethodEntry): entry is Method => typeof entry === 'object' && 'index' in entry
