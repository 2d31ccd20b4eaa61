import { messageOf } from '../errors.ts'
import { checkIndex, statsOf } from '../run/asking/check-index.ts'
import { rankingFault } from '../run/asking/retrieve.ts'
import { checkGraph } from '../run/graph/look-up.ts'
import type { Budget, Index, Method, Passage } from '../types.ts'
import { firstFault, type Fault } from './check.ts'
import { jsonFault } from './json-fault.ts'
import type { MethodInput } from './method-inputs.ts'

/** What a method returned for one question, and where: `(corpus "two chunks", question "plain")`. */
export interface Ranking {
  readonly where: string
  readonly input: MethodInput
  readonly budget: Budget
  readonly passages: readonly Passage[]
}

/** What a run would refuse: no text, an unknown chunk, words that are not those of the spans, a better passage below a worse one. */
export function refusedFault({ passages, input, where }: Ranking): Fault {
  const fault = rankingFault(passages, input)
  return fault && `${fault} ${where}`
}

/** More passages than the budget allows, or than the method's own `context` does. */
export function budgetFault({ context }: Pick<Method, 'context'>, { passages, budget, where }: Ranking): Fault {
  if (context === 'unlimited') return undefined
  const most = context === 'none' ? 0 : budget.passages
  const said = context === 'none' ? 'a method with context: "none"' : `a budget of ${most}`
  return passages.length > most ? `returned ${passages.length} passages for ${said} ${where}` : undefined
}

/** A passage that cannot be kept in a journal. */
export const passageJsonFault = ({ passages, where }: Ranking): Fault =>
  firstFault(passages.entries(), ([index, passage]) => {
    const fault = jsonFault(passage, `passage ${index + 1}`)
    return fault === undefined ? undefined : `${fault} ${where}; expected what JSON can hold`
  })

/** What an index says of itself, where it cannot be written down or a run would refuse it. */
export function saidFault({ index, name }: { readonly index: Index; readonly name: string }, where: string): Fault {
  const { graph, stats, warnings } = index
  const drawn = graph?.()
  const said = { stats: stats?.(), warnings: warnings?.(), graph: drawn }
  const unwritable = firstFault(Object.entries(said), ([what, value]) =>
    value === undefined ? undefined : jsonFault(value, what),
  )
  if (unwritable !== undefined) return `${unwritable} ${where}; expected what JSON can hold`
  const uncounted = Object.entries(said.warnings ?? {}).find(([, count]) => !(Number.isInteger(count) && count >= 0))
  if (uncounted) return `warnings.${uncounted[0]} is ${brief(uncounted[1])} ${where}; expected a count`
  try {
    checkIndex(index, name)
    statsOf(index, name)
    if (drawn) checkGraph(drawn, name)
    return undefined
  } catch (error) {
    return `${messageOf(error)} ${where}`
  }
}

/** A value in few words. */
export function brief(value: unknown): string {
  const written =
    typeof value === 'number' ? String(value) : ((JSON.stringify(value) as string | undefined) ?? typeof value)
  return written.length > 60 ? `${written.slice(0, 57)}…` : written
}
