import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import pLimit from 'p-limit'
import { frozen } from '../basics/plain-data.ts'
import { once } from '../basics/memoise.ts'
import { tasksOf } from '../define.ts'
import { messageOf } from '../errors.ts'
import type { Budget, Chunk, Index, Method, Models, Passage, Query } from '../types.ts'
import {
  checksOf,
  firstFault,
  firstFaultOfEach,
  nameChecks,
  optionChecks,
  parsedOptions,
  type Check,
  type Fault,
  brief,
  budgetFault,
  passageJsonFault,
  refusedFault,
  saidFault,
  type Ranking,
} from './check.ts'
import { budgets, evidenceIn, methodInputs, queries, wide, type MethodInput } from './method-inputs.ts'
import { usualModels, undeclared, watchedModels } from './fake-models.ts'

export interface MethodCase {
  /** Options as a config has them. */
  readonly options?: unknown
  /** New models for every index and retrieval, alike each time: offline ones, or `fakeModels({ replies })`. */
  readonly models?: () => Models | Promise<Models>
}

/**
 * What every method promises, as checks for any test framework: rankings within the budget, best first, of known
 * chunks, the same each time. `for (const { name, run } of methodChecks(mine)) test(name, run)`
 */
export function methodChecks(
  method: Method,
  { options: given = {}, models = usualModels }: MethodCase = {},
): readonly Check[] {
  const check = checksOf(`method "${method.name}"`)
  const described = [...nameChecks(check, method), ...optionChecks(check, method.options, given)]
  const parsed = parsedOptions(method.options, given)
  if (!parsed) return described
  const { options } = parsed
  const tasks = new Set<string>()
  // by the index, and by questions
  const [embedded, asked] = [new Set<string>(), new Set<string>()]
  const opened: Index[] = []
  const asker: Asker = {
    async index(chunks, own = options) {
      const watched = watchedModels(await models(), { tasks, embedded })
      const index = await method.index(chunks, watched, own)
      opened.push(index)
      return index
    },
    async retrieve(index, query, budget) {
      const watched = watchedModels(await models(), { tasks, embedded: asked })
      return index.retrieve(query, budget, watched)
    },
    seen: (query, chunks) => seenBy(method, query, chunks),
    async linger() {
      if (method.program) await pause(lingering)
    },
  }
  const observed = once(() => observe(asker))
  const wellFormed = async (faultOf: (ranking: Ranking) => Fault): Promise<Fault> => {
    const { rankings } = await observed()
    return firstFault(
      rankings.filter((ranking) => refusedFault(ranking) === undefined),
      faultOf,
    )
  }
  return [
    ...described,
    check('answers every question of every corpus', async () => (await observed()).failures[0]),
    check('returns what a run takes: passages of the chunks that it was given, the best first', async () =>
      firstFault((await observed()).rankings, refusedFault),
    ),
    check('keeps to the budget', () => wellFormed((ranking) => budgetFault(method, ranking))),
    check('returns passages that JSON can hold', () => wellFormed(passageJsonFault)),
    check('has statistics, warnings and a graph that JSON can hold', async () =>
      firstFault((await observed()).indexes, ({ index, where }) => saidFault({ index, name: method.name }, where)),
    ),
    check('finds the same again, and for questions asked at once', async () =>
      firstFaultOfEach((await observed()).indexes, (one) => repeatFault(one, asker)),
    ),
    check('finds the same first passages within any budget, where it says that its rankings are nested', async () =>
      firstFault((await observed()).indexes, nestedFault),
    ),
    check('leaves what it is given as it was', async () =>
      firstFaultOfEach((await observed()).indexes, ({ input }) => changeFault(input, options, asker)),
    ),
    check('runs only tasks that it declares', () => observed().then(() => undeclared(tasks, tasksOf(method, options)))),
    check('closes its indexes', async () => {
      for (const index of opened.splice(0)) await index.close?.()
      return undefined
    }),
  ]
}

/** How one method with its options is asked. */
interface Asker {
  index(chunks: readonly Chunk[], options?: unknown): Promise<Index>
  retrieve(index: Index, query: Query, budget: Budget): Promise<readonly Passage[]>
  seen(query: Query, chunks: readonly Chunk[]): Query
  /** Time without a request under way: what a program asks of models then counts nowhere. */
  linger(): Promise<void>
}

/** Milliseconds: long enough for threads of a program that go on asking. */
const lingering = 300

/** An index that was built, with all that it returned within the widest budget. */
interface Observed {
  readonly input: MethodInput
  readonly index: Index
  readonly where: string
  readonly found: readonly (readonly Passage[])[]
  /** What each question brought within each of the budgets, in their order. */
  readonly byBudget: readonly (readonly (readonly Passage[])[])[]
}

/** Builds an index of every corpus and asks it every question with every budget, one by one. */
async function observe({ index: build, retrieve, seen, linger }: Asker) {
  const [indexes, rankings, failures]: [Observed[], Ranking[], string[]] = [[], [], []]
  for (const input of methodInputs()) {
    const { corpus, chunks } = input
    const where = `(corpus "${corpus}")`
    try {
      const index = await build(chunks)
      await linger()
      const found: (readonly Passage[])[] = []
      const byBudget: (readonly Passage[])[][] = []
      for (const query of queries) {
        const own: (readonly Passage[])[] = []
        byBudget.push(own)
        for (const budget of budgets) {
          const place = `(corpus "${corpus}", question "${query.id}", budget of ${budget.passages} passages)`
          try {
            const passages = await retrieve(index, seen(query, chunks), budget)
            rankings.push({ where: `(corpus "${corpus}", question "${query.id}")`, input, budget, passages })
            own.push(passages)
            if (budget === wide) found.push(passages)
          } catch (error) {
            failures.push(`retrieve failed ${place}: ${messageOf(error)}`)
          }
        }
      }
      await linger()
      if (found.length === queries.length) indexes.push({ input, index, where, found, byBudget })
    } catch (error) {
      failures.push(`index failed ${where}: ${messageOf(error)}`)
    }
  }
  return { indexes, rankings, failures }
}

/** Asks the same index all at once, and a second one all at once in another order. */
async function repeatFault(
  { input: { corpus, chunks }, index, found }: Observed,
  { index: build, retrieve, seen }: Asker,
): Promise<Fault> {
  // as many at once as the index takes
  const ask = (of: Index, asked: readonly Query[]) => {
    const limit = pLimit(of.concurrency ?? Infinity)
    return Promise.all(asked.map((query) => limit(() => retrieve(of, seen(query, chunks), wide))))
  }
  const again = {
    'the same index, questions at once': await ask(index, queries),
    'a second index, questions at once': (await ask(await build(chunks), queries.toReversed())).toReversed(),
  }
  return firstFault(Object.entries(again), ([how, rankings]) =>
    firstFault(queries.entries(), ([place, { id }]) => {
      const [first, second] = [found[place] ?? [], rankings[place] ?? []]
      if (isDeepStrictEqual(first, second)) return undefined
      return `found ${listed(first)}, then ${listed(second)} (corpus "${corpus}", question "${id}", ${how}); expected the same each time: take chance from models.random()`
    }),
  )
}

/** A ranking that is not the beginning of the one for more passages. */
function nestedFault({ index, byBudget, where }: Observed): Fault {
  if (!index.nested) return undefined
  return firstFault(byBudget.entries(), ([place, rankings]) => {
    const whole = rankings.at(-1) ?? []
    return firstFault(budgets.entries(), ([at, { passages }]) => {
      const [first, expected] = [rankings[at] ?? [], whole.slice(0, passages)]
      if (isDeepStrictEqual(first, expected)) return undefined
      return `found ${listed(first)} for ${passages} passages, and ${listed(expected)} first for more (question "${queries[place]?.id ?? ''}") ${where}; expected the same: leave "nested" out`
    })
  })
}

/** What a method is shown of a query. */
const seenBy = ({ sees }: Pick<Method, 'sees'>, query: Query, chunks: readonly Chunk[]): Query =>
  sees === 'evidence' ? { ...query, evidence: evidenceIn(chunks) } : query

const listed = (passages: readonly Passage[]): string =>
  brief(passages.map(({ from, score }) => `${from.join('+')} ${score}`))

/** Gives frozen chunks, options and questions, which throw when written to, and copies, which are compared. */
async function changeFault(
  { corpus, chunks }: MethodInput,
  options: unknown,
  { index: build, retrieve, seen }: Asker,
): Promise<Fault> {
  const where = `(corpus "${corpus}")`
  const asked = (): readonly Query[] => structuredClone(queries.map((query) => seen(query, chunks)))
  try {
    const index = await build(frozen(structuredClone(chunks)), frozen(structuredClone(options)))
    for (const query of asked()) await retrieve(index, frozen(query), frozen({ ...wide }))
  } catch (error) {
    return `changes what it is given ${where}: ${messageOf(error)}; expected a copy to be changed: chunks.toSorted(), { ...query }`
  }
  const given = { chunks: structuredClone(chunks), options: structuredClone(options), queries: asked() }
  const index = await build(given.chunks, given.options)
  for (const query of given.queries) await retrieve(index, query, wide)
  const before = { chunks, options, queries: asked() }
  const changed = (['chunks', 'options', 'queries'] as const).find((key) => !isDeepStrictEqual(given[key], before[key]))
  return changed && `changes the ${changed} that it is given ${where}; expected a copy to be changed`
}
