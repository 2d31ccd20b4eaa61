import { isDeepStrictEqual } from 'node:util'
import pLimit from 'p-limit'
import { deepFreeze } from '../basics/plain-data.ts'
import { tasksOf } from '../define.ts'
import { checkGraph, checkIndex, statsOf, warningsOf } from '../run/asking/check-index.ts'
import { rankingFaults } from '../run/asking/retrieve.ts'
import type { Budget, Index, Method, Models, Passage, Query } from '../types.ts'
import { offlineModels, recordTasks } from './fake-models.ts'
import { budgets, evidenceIn, methodInputs, queries, wide, type MethodInput } from './method-inputs.ts'
import { failure, isJson, plugInFindings, taskRule, type Finding, type Rule } from './findings.ts'

export interface MethodCase {
  /** Options as a config has them. */
  readonly options?: unknown
  /** New models for every index and retrieval, alike each time: offline ones, or `fakeModels({ replies })`. */
  readonly models?: () => Models | Promise<Models>
}

/**
 * Violations of the contract of a method, a line each: rankings of chunks within the budget, sorted, and
 * deterministic.
 */
export function methodFindings(
  method: Method,
  { options: optionValues = {}, models = offlineModels }: MethodCase = {},
): Promise<readonly string[]> {
  return plugInFindings('method', method, optionValues, rules, (options) => observe(method, options, models))
}

const rules: readonly Rule<Observed>[] = [
  {
    source: 'Method.index',
    run: ({ failures }) => failures,
  },
  {
    source: 'Passage',
    *run({ rankings }) {
      for (const { passages, input, where } of rankings) {
        for (const problem of rankingFaults(passages, input)) yield { problem, where }
        if (!isJson(passages)) yield { problem: `returned a passage with ${noJson}`, where }
      }
    },
  },
  {
    source: 'Budget, Index.nested',
    *run({ rankings, method: { context } }) {
      for (const { passages, index, query, budget, where } of rankings) {
        const most = context === 'unlimited' ? Infinity : context === 'none' ? 0 : budget.passages
        if (passages.length > most)
          yield { problem: `returned ${passages.length} passages for a budget of ${most}; return fewer`, where }
        if (!index.nested) continue
        const longest = rankings.find(
          (candidate) => candidate.index === index && candidate.query === query && isWide(candidate),
        )
        if (!isDeepStrictEqual(passages, longest?.passages.slice(0, budget.passages)))
          yield { problem: 'ranks other passages first for a larger budget; leave "nested" out', where }
      }
    },
  },
  {
    source: 'Index',
    *run({ indexes, method: { name } }) {
      for (const { index, where } of indexes) {
        const parts = {
          'stats()': () => statsOf(index, name) && index.stats?.(),
          'warnings()': () => warningsOf(index, name),
          'graph()': () => index.graph && checkGraph(index.graph(), name),
        }
        for (const [part, read] of Object.entries(parts))
          try {
            const value: unknown = read()
            if (value !== undefined && !isJson(value)) yield { problem: `${part} returned ${noJson}`, where }
          } catch (error) {
            yield failure(part, error, where)
          }
      }
    },
  },
  taskRule,
  {
    source: 'Method.index',
    async *run({ indexes, rankings, build, retrieve }) {
      for (const { index, input } of indexes) {
        const second = await build(input)
        const limit = pLimit(second.concurrency ?? Infinity)
        const requests = rankings.filter((ranking) => ranking.index === index && isWide(ranking)).toReversed()
        const again = await Promise.all(requests.map((request) => limit(() => retrieve(second, request))))
        for (const [at, { passages, where }] of requests.entries())
          if (!isDeepStrictEqual(passages, again[at]))
            yield { problem: 'returned other passages the second time; take chance from models.random()', where }
        await index.close?.()
        await second.close?.()
      }
    },
  },
]

const noJson = 'what JSON cannot hold, such as NaN or an object of a class; return plain data'

const isWide = ({ budget }: Request): boolean => budget === wide

interface Request {
  readonly input: MethodInput
  readonly query: Query
  readonly budget: Budget
}

interface Ranking extends Request {
  readonly index: Index
  readonly passages: readonly Passage[]
  readonly where: string
}

type Observed = Awaited<ReturnType<typeof observe>>

/** Builds an index of every corpus and asks it every question with every budget, one by one. */
async function observe(method: Method, options: unknown, models: NonNullable<MethodCase['models']>) {
  const tasks = new Set<string>()
  const openModels = async (): Promise<Models> => recordTasks(await models(), tasks)
  // frozen, as in a run: a method that mutates its input fails
  const build = async ({ chunks }: MethodInput): Promise<Index> =>
    checkIndex(await method.index(deepFreeze(chunks), await openModels(), deepFreeze(options)), method.name)
  const retrieve = async (index: Index, { input, query, budget }: Request): Promise<readonly Passage[]> => {
    const evidence = method.sees === 'evidence' && { evidence: evidenceIn(input.chunks) }
    return index.retrieve(deepFreeze({ ...query, ...evidence }), deepFreeze(budget), await openModels())
  }
  const indexes: { readonly index: Index; readonly input: MethodInput; readonly where: string }[] = []
  const rankings: Ranking[] = []
  const failures: Finding[] = []
  const requests = queries.flatMap((query) => budgets.map((budget) => ({ query, budget })))
  for (const input of methodInputs()) {
    const corpus = `corpus "${input.corpus}"`
    const index = await build(input).catch((error: unknown) => void failures.push(failure('index()', error, corpus)))
    if (!index) continue
    indexes.push({ index, input, where: corpus })
    for (const { query, budget } of requests) {
      const where = `${corpus}, question "${query.id}"`
      try {
        const passages = await retrieve(index, { input, query, budget })
        if (Array.isArray(passages)) rankings.push({ index, input, query, budget, passages, where })
        else failures.push({ problem: 'retrieve() returned no list of passages; return a list', where })
      } catch (error) {
        failures.push(failure('retrieve()', error, where))
      }
    }
  }
  return { method, tasks, declaredTasks: tasksOf(method, options), build, retrieve, indexes, rankings, failures }
}
