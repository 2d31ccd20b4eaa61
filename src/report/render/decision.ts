import { addFields } from '../../basics/collections.ts'
import type { Manifest, Row } from '../../records.ts'
import { rowName } from '../../text/names.ts'
import { counted, inDollars, plural } from './amounts.ts'
import { points } from './columns.ts'
import type { Table } from '../table/table.ts'
import type { RowComparison } from '../compare/compare-rows.ts'

/** A row that one may lose with, in points of the metric, where a config gives no margin. */
const usualMargin = 0.05

/**
 * Which row to take, in a sentence: the cheapest whose simultaneous 95 % intervals exclude that another row is better by
 * more than the margin of the config, else by 5 points; or how many questions it takes to tell. Undefined where not all
 * pairs of two or more rows are compared, or a row had no question.
 */
export function decision(manifest: Pick<Manifest, 'compare'>, table: Table): string | undefined {
  const { comparison } = table
  if (!comparison || comparison.baseline !== null || comparison.apart !== undefined) return undefined
  const margin = manifest.compare?.margin ?? usualMargin
  const rows = comparison.rows
    .flatMap((row) => {
      const cost = costOf(table, row)
      return cost === undefined ? [] : [{ row, cost, losses: lossesOf(row.letter, comparison) }]
    })
    .sort((a, b) => cheapness(a.cost, b.cost))
  if (rows.length < comparison.rows.length) return undefined
  const said = `${points(margin)} points`
  const sure = rows.find(({ losses }) => losses.every(({ most }) => most <= margin))
  if (sure)
    return `Take ${rowName(sure.row)}: no other row is better by more than ${said} (simultaneous 95 % intervals); ${costWords(sure.cost)}.`
  const likely = rows.find(({ losses }) => losses.every(({ loss }) => loss < margin))
  if (!likely) return undefined
  const factor = Math.max(...likely.losses.map(({ loss, most }) => ((most - loss) / (margin - loss)) ** 2))
  const needed = Math.ceil(comparison.fewest * factor)
  const money = rows.reduce<number | undefined>(
    (sum, { cost }) => (sum === undefined || cost.money === undefined ? undefined : sum + cost.money),
    0,
  )
  const price =
    money === undefined || money === 0 ? '' : `, for $${inDollars(money * (needed - comparison.fewest))} more`
  return `Cannot tell yet which row to take: if the differences stay, ${rowName(likely.row)} is the cheapest within ${said} of every other row, and about ${plural(needed, 'question')} would show it (${comparison.fewest} were asked${price}).`
}

interface Loss {
  /** How much better another row was, and at most is, as a fraction. */
  readonly loss: number
  readonly most: number
}

const lossesOf = (letter: string, { pairs }: RowComparison): readonly Loss[] =>
  pairs.flatMap(({ a, b, difference, simultaneous: { low, high } }) => {
    if (a === letter) return [{ loss: -difference, most: low === null ? Infinity : -low }]
    return b === letter ? [{ loss: difference, most: high ?? Infinity }] : []
  })

/** What a row costs: tokens of language models, and money where every model that it used has a price. */
interface RowCost {
  /** Of a question: retrieval and answer. */
  readonly tokens: number
  readonly money?: number | undefined
  readonly index: { readonly tokens: number; readonly money?: number | undefined }
}

function costOf({ usage, rows }: Pick<Table, 'usage' | 'rows'>, { method, variant }: Row): RowCost | undefined {
  const isRow = (one: Row): boolean => one.method === method && one.variant === variant
  const trials = rows.find(isRow)?.trials ?? 0
  if (trials === 0) return undefined
  const spent = (...phases: readonly string[]) => {
    const used = usage.filter((one) => isRow(one) && phases.includes(one.phase))
    const tokens = used.reduce((sum, { promptTokens, completionTokens }) => sum + promptTokens + completionTokens, 0)
    const priced = used.flatMap(({ money }) => (money === undefined ? [] : [{ money }]))
    const { money = 0 } = priced.reduce<{ money?: number }>(addFields, {})
    return { tokens, money: priced.length === used.length ? money : undefined }
  }
  const [asked, index] = [spent('retrieve', 'answer'), spent('index')]
  const { money } = asked
  return { tokens: asked.tokens / trials, money: money === undefined ? undefined : money / trials, index }
}

/** By money where both have it, else by tokens; where a question costs the same, by the index. */
function cheapness(a: RowCost, b: RowCost): number {
  const isPriced = a.money !== undefined && b.money !== undefined
  const byQuestion = isPriced ? Number(a.money) - Number(b.money) : a.tokens - b.tokens
  return byQuestion === 0 ? a.index.tokens - b.index.tokens : byQuestion
}

function costWords({ tokens, money, index }: RowCost): string {
  const ofIndex =
    index.money === undefined
      ? `${counted(index.tokens)} tokens for its index`
      : `$${inDollars(index.money)} for its index`
  const asked =
    money === undefined
      ? `${counted(Math.round(tokens))} tokens a question`
      : `$${inDollars(1000 * money)} per 1,000 questions`
  return `${index.tokens === 0 ? 'no index cost' : ofIndex}, ${asked}`
}
