import { isDeepStrictEqual } from 'node:util'
import pLimit from 'p-limit'
import { deepFreeze } from '../basics/plain-data.ts'
import { tasksOf } from '../define.ts'
import { checkGraph, checkIndex, statsOf, warningsOf } from '../run/execute/check-index.ts'
import { rankingFaults } from '../run/execute/retrieve.ts'
import type { Budget, Index, Method, Models, Passage, Query } from '../types.ts'
import { offlineModels, recordTasks } from './fake-models.ts'
import { budgets, evidenceIn, methodInputs, queries, wide } from './method-inputs.ts'
import { failure, isJson, plugInFindings, checkTasks, type Report } from './findings.ts'

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
export const methodFindings = (
  method: Method,
  { options: optionValues = {}, models = offlineModels }: MethodCase = {},
): Promise<readonly string[]> =>
  plugInFindings('method', method, optionValues, async (options, report) => {
    const tasks = new Set<string>()
    const openModels = async (): Promise<Models> => recordTasks(await models(), tasks)
    for (const input of methodInputs()) {
      const where = `corpus "${input.corpus}"`
      // frozen, as in a run: a method that mutates its input fails
      const build = async (): Promise<Index> => {
        const index = await method.index(deepFreeze(input.chunks), await openModels(), deepFreeze(options))
        return checkIndex(index, method.name)
      }
      const retrieve = async (index: Index, query: Query, budget: Budget): Promise<readonly Passage[]> => {
        const evidence = method.sees === 'evidence' && { evidence: evidenceIn(input.chunks) }
        return index.retrieve(deepFreeze({ ...query, ...evidence }), deepFreeze(budget), await openModels())
      }
      try {
        const index = await build()
        const rankings: Ranking[] = []
        for (const query of queries)
          for (const budget of budgets) {
            const place = `${where}, question "${query.id}"`
            try {
              const passages = await retrieve(index, query, budget)
              if (Array.isArray(passages)) rankings.push({ query, budget, passages, where: place })
              else report('retrieve() returned no list of passages; return a list', place)
            } catch (error) {
              report(...failure('retrieve()', error, place))
            }
          }
        for (const { passages, where: place } of rankings) {
          for (const problem of rankingFaults(passages, input)) report(problem, place)
          if (!isJson(passages)) report(`returned a passage with ${noJson}`, place)
        }
        checkBudgets(method, index, rankings, report)
        checkParts(index, method.name, where, report)
        const second = await build()
        const limit = pLimit(second.concurrency ?? Infinity)
        const requests = rankings.filter(({ budget }) => budget === wide).toReversed()
        const again = await Promise.all(
          requests.map(({ query, budget }) => limit(() => retrieve(second, query, budget))),
        )
        for (const [at, { passages, where: place }] of requests.entries())
          if (!isDeepStrictEqual(passages, again[at]))
            report('returned other passages the second time; take chance from models.random()', place)
        await index.close?.()
        await second.close?.()
      } catch (error) {
        report(...failure('index()', error, where))
      }
    }
    checkTasks(tasks, tasksOf(method, options), report)
  })

interface Ranking {
  readonly query: Query
  readonly budget: Budget
  readonly passages: readonly Passage[]
  readonly where: string
}

const noJson = 'what JSON cannot hold, such as NaN or an object of a class; return plain data'

function checkBudgets({ context }: Method, index: Index, rankings: readonly Ranking[], report: Report): void {
  for (const { passages, query, budget, where } of rankings) {
    const most = context === 'unlimited' ? Infinity : context === 'none' ? 0 : budget.passages
    if (passages.length > most)
      report(`returned ${passages.length} passages for a budget of ${most}; return fewer`, where)
    if (!index.nested) continue
    const longest = rankings.find((ranking) => ranking.query === query && ranking.budget === wide)
    if (!isDeepStrictEqual(passages, longest?.passages.slice(0, budget.passages)))
      report('ranks other passages first for a larger budget; leave "nested" out', where)
  }
}

function checkParts(index: Index, name: string, where: string, report: Report): void {
  const parts = {
    'stats()': () => statsOf(index, name) && index.stats?.(),
    'warnings()': () => warningsOf(index, name),
    'graph()': () => index.graph && checkGraph(index.graph(), name),
  }
  for (const [part, read] of Object.entries(parts))
    try {
      const value: unknown = read()
      if (value !== undefined && !isJson(value)) report(`${part} returned ${noJson}`, where)
    } catch (error) {
      report(...failure(part, error, where))
    }
}
