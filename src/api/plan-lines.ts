import type { Manifest, Row } from '../records.ts'
import { phases, type UsageCell } from '../report/table/table.ts'
import { moneyOf, pricedModels } from '../report/table/usage.ts'
import { addExpected, exactly, sumOf as sumOfEstimates, times, timesUsage } from '../math/expected.ts'
import type { ExpectedRun, KeptCalls } from '../run/index.ts'
import type { Estimate, ExpectedUsage, Phase } from '../types.ts'

export type Timed = UsageCell & { readonly embeddingMilliseconds: number }

/** What a row is expected to cost in one phase. */
export interface PlanLine extends Costs {
  readonly method: string
  readonly variant: string
  readonly phase: Phase
  /**
   * Of its calls, those that the cache holds: a range where calls follow from a missing reply, or were not looked up.
   * Absent where no model is behind a server, or the calls are not known.
   */
  readonly kept?: { readonly least: number; readonly most: number }
}

/** Calls and tokens, null where not known; dollars where prices are set; seconds where calls were timed. */
export interface Costs {
  readonly calls: Estimate | null
  readonly promptTokens: Estimate | null
  readonly completionTokens: Estimate | null
  readonly embeddedTokens: Estimate | null
  readonly usd?: Estimate
  readonly seconds?: Estimate
}

/** A plan as numbers: rows by phase, and all of them together by phase and in all. */
export interface PlanLines {
  readonly rows: readonly PlanLine[]
  readonly together: readonly (Costs & { readonly phase: Phase | 'all' })[]
}

/** Prices what a run is expected to ask, and times it by the calls of an earlier run. */
export function planLines(
  { rows, together: { all, ...together }, atOnce }: ExpectedRun,
  models: Manifest['models'],
  earlier: readonly Timed[],
  kept: readonly KeptCalls[] = [],
): PlanLines {
  const prices = pricedModels(models)
  const priced = (phase: Phase, usage: ExpectedUsage | undefined): Pick<Costs, 'usd'> => {
    const usd = usage && eachOf((end) => moneyOf(prices, phase, pointOf(usage, end)))
    return usd ? { usd } : {}
  }
  /** The seconds of a usage by those of a row before, or of all rows; undefined where none were timed. */
  const timed = (
    phase: Phase,
    usage: ExpectedUsage,
    isOf: (cell: Timed) => boolean = () => true,
    own = usage,
  ): ByKind | undefined => {
    const cells = earlier.filter((cell) => cell.phase === phase && cell.milliseconds > 0)
    const before = cells.some(isOf) ? cells.filter(isOf) : cells
    const [calls, milliseconds] = [sumOf(before, 'calls'), sumOf(before, 'milliseconds')]
    if (usage.calls.high === 0) return noTime
    if (calls === 0) return undefined
    const embedding = sumOf(before, 'promptTokens') === 0 ? milliseconds : sumOf(before, 'embeddingMilliseconds')
    const seconds = (spent: number, field: 'promptTokens' | 'embeddedTokens', together: number): Estimate => {
      const share = usage[field].expected > 0 ? own[field].expected / usage[field].expected : 0
      return times(usage.calls, (spent * share) / calls / together / 1000)
    }
    return {
      complete: seconds(milliseconds - embedding, 'promptTokens', atOnce[phase].complete),
      embed: seconds(embedding, 'embeddedTokens', atOnce[phase].embed),
    }
  }
  const isTimed = (cell: Timed, row: Row): boolean => cell.method === row.method && cell.variant === row.variant
  // while one row waits for a server, another one is at work; what computes on this computer waits for its processor
  const overlaps = rows.length > 1 && [models.complete, models.embed].some(({ baseUrl }) => baseUrl !== undefined)
  const inRows = rows.map((row) => ({
    ...row,
    seconds: (phase: Phase): Estimate | undefined => {
      const usage = row.phases[phase]
      const kinds = usage && timed(phase, usage, (cell) => isTimed(cell, row))
      return kinds && sumOfEstimates(kinds.complete, kinds.embed)
    },
  }))
  const phasesOf = phases.map((phase) => {
    const usage = together[phase]
    // what is not known is in no sum
    const known = rows.flatMap((row) => {
      const { [phase]: own } = row.phases
      return own ? [timed(phase, own, (cell) => isTimed(cell, row), row.own[phase])] : []
    })
    // what judges are tried on is no row's
    if (phase === 'judge') known.push(timed(phase, beyond(usage, rows)))
    return { phase, usage, seconds: sumOfKinds(known) }
  })
  const inPhases = phasesOf.map(({ phase, usage, seconds }) => ({
    ...{ phase, ...costsOf(usage), ...priced(phase, usage) },
    ...(seconds && { seconds: secondsOf(seconds, overlaps && inRows.map((row) => row.seconds(phase))) }),
  }))
  const wholeOf = ({ seconds }: (typeof inRows)[number]): Estimate =>
    sumOfEstimates(...phasesOf.flatMap(({ phase }) => seconds(phase) ?? []))
  const allSeconds = sumOfKinds(phasesOf.map(({ seconds }) => seconds))
  const usd = summed(inPhases.map((phase) => phase.usd))
  return {
    rows: inRows.flatMap(({ method, variant, phases: usages, seconds }) =>
      phases.map((phase) => {
        const usage = usages[phase]
        const time = seconds(phase)
        const found = kept.find((one) => one.method === method && one.variant === variant && one.phase === phase)
        return {
          ...{ method, variant, phase, ...costsOf(usage), ...priced(phase, usage) },
          ...(time && { seconds: time }),
          ...(found && usage && { kept: keptOf(found, usage) }),
        }
      }),
    ),
    together: [
      ...inPhases,
      {
        phase: 'all',
        ...costsOf(all),
        ...(usd && { usd }),
        ...(allSeconds && { seconds: secondsOf(allSeconds, overlaps && inRows.map(wholeOf)) }),
      },
    ],
  }
}

const keptOf = ({ kept, missing, open }: KeptCalls, { calls }: ExpectedUsage): NonNullable<PlanLine['kept']> => ({
  least: kept,
  most: open ? Math.max(kept, Math.round(calls.high) - missing) : kept,
})

/** Seconds of the calls that complete, and of those that embed. */
type ByKind = Readonly<Record<'complete' | 'embed', Estimate>>

const noTime: ByKind = { complete: exactly(0), embed: exactly(0) }

/** Undefined where one of them is. */
function sumOfKinds(all: readonly (ByKind | undefined)[]): ByKind | undefined {
  const known = all.flatMap((one) => one ?? [])
  if (known.length < all.length) return undefined
  const sum = (kind: keyof ByKind): Estimate => sumOfEstimates(...known.map((one) => one[kind]))
  return { complete: sum('complete'), embed: sum('embed') }
}

/** The kinds one after the other; where `rows` overlap, from the longer kind or longest row to the sum. */
function secondsOf({ complete, embed }: ByKind, rows: readonly (Estimate | undefined)[] | false): Estimate {
  const sum = sumOfEstimates(complete, embed)
  if (rows === false) return sum
  const longest = (end: keyof Estimate): number =>
    Math.max(complete[end], embed[end], ...rows.map((row) => row?.[end] ?? 0))
  return { low: longest('low'), expected: longest('expected'), high: Math.max(sum.high, longest('high')) }
}

/** What the judges of a run are asked beyond what its rows have judged. */
function beyond(judge: ExpectedUsage, rows: ExpectedRun['rows']): ExpectedUsage {
  const ofRows = addExpected(rows.map(({ own }) => own.judge))
  return addExpected([judge, timesUsage(ofRows, -1)])
}

/** The sum of estimates, where every one is known. */
export const summed = (estimates: readonly (Estimate | null | undefined)[]): Estimate | undefined =>
  eachOf((end) =>
    estimates.reduce<number | undefined>(
      (total, one) => (total === undefined || !one ? undefined : total + one[end]),
      0,
    ),
  )

type Counted = Exclude<keyof Costs, 'usd' | 'seconds'>

/** What is made of calls and of each kind of tokens. */
export const countedBy = <T>(make: (field: Counted) => T): Readonly<Record<Counted, T>> => ({
  ...{ calls: make('calls'), promptTokens: make('promptTokens') },
  ...{ completionTokens: make('completionTokens'), embeddedTokens: make('embeddedTokens') },
})

const costsOf = (usage: ExpectedUsage | undefined): Costs => countedBy((field) => rounded(usage?.[field]))

const rounded = (estimate: Estimate | undefined): Estimate | null =>
  estimate
    ? { low: Math.round(estimate.low), expected: Math.round(estimate.expected), high: Math.round(estimate.high) }
    : null

/** An estimate of its three numbers; undefined where one of them is. */
export function eachOf(value: (end: keyof Estimate) => number | null | undefined): Estimate | undefined {
  const [low, expected, high] = [value('low'), value('expected'), value('high')]
  return low == null || expected == null || high == null ? undefined : { low, expected, high }
}

const pointOf = (usage: ExpectedUsage, end: keyof Estimate) => ({
  ...countedBy((field) => usage[field][end]),
  ...(usage.rankedTokens && { rankedTokens: usage.rankedTokens[end] }),
  estimated: 0,
})

const sumOf = (
  cells: readonly Timed[],
  field: 'calls' | 'milliseconds' | 'embeddingMilliseconds' | 'promptTokens',
): number => cells.reduce((sum, cell) => sum + cell[field], 0)
