import { median } from '../../math/statistics/descriptive.ts'
import type { Manifest } from '../../records.ts'
import type { Budget } from '../../types.ts'
import { runOfRow } from '../synthetic.ts'
import type { Table } from '../table/table.ts'
import { listing, plural, present } from '../../text/amounts.ts'
import type { Column } from './columns.ts'
import { nameOf } from './rows.ts'
import type { NamedRow } from './notes-on-warnings.ts'

/** Rows with a budget of their own, and what that means for a comparison. */
export function budgetNotes(manifest: Manifest): readonly string[] {
  const shown = ({ passages, tokens }: Budget): string =>
    `${plural(passages, 'passage')} and ${plural(tokens, 'token')}`
  const own = manifest.methods.flatMap((method) => (method.budget ? [`${nameOf(method)} ${shown(method.budget)}`] : []))
  return present(
    own.length > 0 &&
      `Rows have unequal budgets: ${listing(own, '; ')}; the others ${shown(manifest.budget)}. A difference between rows of unequal budgets may come from their budgets.`,
  )
}

/** Ranks that a metric names and no context reaches. */
export function ranksBelowBudget(columns: readonly Pick<Column, 'label' | 'deepest'>[]): readonly string[] {
  const cut = columns.filter(({ deepest }) => deepest !== undefined)
  const [deepest] = cut.flatMap((column) => column.deepest ?? [])
  return present(
    deepest !== undefined &&
      `${listing(cut.map(({ label }) => label))}: the budget ends a context at ${plural(deepest, 'passage')}; what would stand below counts as not found. answers: none scores rankings to their depth.`,
  )
}

/** Rows within the budget whose contexts are far smaller than those of the others. */
export function starved(rows: readonly NamedRow[]): readonly string[] {
  const sizes = rows.flatMap(({ name, method, summary: { contextTokens } }) =>
    method.context === undefined && contextTokens !== null ? [{ name, tokens: contextTokens }] : [],
  )
  if (sizes.length < 3) return []
  const middle = median(sizes.map(({ tokens }) => tokens))
  const small = sizes.filter(({ tokens }) => tokens < middle / 4)
  return present(
    small.length > 0 &&
      `Contexts under a quarter of the median of the rows (${Math.round(middle)} tokens): ${listing(small.map(({ name, tokens }) => `${name} ${Math.round(tokens)}`))}. Such a row may measure its budget, not its method.`,
  )
}

/** Rows that differ in their names and hardly in what they gave to the answerer. */
export function sameContexts({ methods }: Manifest, { sameContexts: pairs = [] }: Table): readonly string[] {
  const named = (id: string): string => methods.flatMap((method) => (method.id === id ? [nameOf(method)] : []))[0] ?? id
  return present(
    pairs.length > 0 &&
      `Same contexts for nearly all questions: ${listing(pairs.map(({ rows: [a, b], same, of }) => `${named(a)} and ${named(b)} (${same} of ${of})`))}. These rows hardly differ here.`,
  )
}

/** Rows within the budget whose contexts used less than half of both its limits, in the mean. */
export function underfilled(manifest: Manifest, rows: readonly NamedRow[]): readonly string[] {
  const named = rows.flatMap(({ name, method, summary: { passages, contextTokens } }) => {
    const { budget = runOfRow(manifest, method).budget } = method
    return method.context === undefined &&
      passages !== null &&
      contextTokens !== null &&
      passages < budget.passages / 2 &&
      contextTokens < budget.tokens / 2
      ? [`${name} (${passages.toFixed(1)} passages, ${Math.round(contextTokens)} tokens)`]
      : []
  })
  return named.length === 0 ? [] : [`Less than half of the budget, in passages and in tokens: ${listing(named)}.`]
}
