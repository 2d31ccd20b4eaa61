import type { Manifest, ScoreLine, ScorerRecord } from '../records.ts'
import type { Usage } from '../types.ts'
import { counts, type Counts } from './counts.ts'
import type { FailedTrial } from './gather-trials.ts'
import type { Cell } from './table.ts'
import { tally, type Tally } from './tally.ts'
import { addUsage } from './usage.ts'

/** The numbers of one row, scorer and subset. */
interface Group {
  readonly contestant: string
  readonly scorer: string
  readonly subset: string
  readonly metrics: Map<string, Tally>
  /** Answers that reached the scorer, by run: all of them, and those that it declined. */
  readonly asked: Counts
  readonly skipped: Counts
  /** Why it declined. */
  readonly reasons: Counts
  failed: number
}

/** Answers of a row that a scorer declined, of those that it was asked about in one run, and how often for which reason in all runs. */
export interface SkippedScores {
  readonly scorer: string
  readonly skipped: number
  readonly of: number
  readonly reasons: Readonly<Record<string, number>>
}

export interface Scores {
  readonly cells: readonly Cell[]
  /** By contestant and phase. */
  readonly usage: ReadonlyMap<string, Usage>
  /** Scores that failed although their trial did not, by contestant. */
  readonly failed: ReadonlyMap<string, number>
  /** By contestant, in the order of the scorers; none where a scorer declined nothing. */
  readonly skipped: ReadonlyMap<string, readonly SkippedScores[]>
}

/** Adds up the lines of scores.jsonl that belong to a row and scorer of the manifest; trials that failed count as failed scores. */
export async function gatherScores(
  manifest: Manifest,
  lines: AsyncIterable<ScoreLine>,
  failedTrials: readonly FailedTrial[],
): Promise<Scores> {
  const groups = new Map<string, Group>()
  const groupOf = (contestant: string, scorer: string, subset: string): Group => {
    const key = JSON.stringify([contestant, scorer, subset])
    let group = groups.get(key)
    if (!group) groups.set(key, (group = emptyGroup(contestant, scorer, subset)))
    return group
  }
  const usage = new Map<string, Usage>()
  const spend = ({ contestant, usage: used }: ScoreLine): void => {
    const key = `${contestant} judge`
    usage.set(key, addUsage(usage.get(key), used))
  }
  const scorers = new Set(manifest.scorers.map(({ id }) => id))
  const rows = new Set(manifest.methods.map(({ id }) => id))
  const failed = new Map<string, ScoreLine>()

  for await (const line of lines) {
    if (!scorers.has(line.scorerId) || !rows.has(line.contestant)) continue
    const key = `${line.trial} ${line.scorerId} ${line.run}`
    if (line.failure) {
      failed.set(key, line)
      continue
    }
    failed.delete(key)
    spend(line)
    for (const subset of subsetsOf(line.subsets)) addTo(groupOf(line.contestant, line.scorerId, subset), line)
  }
  const lost = new Map<string, number>()
  for (const line of failed.values()) {
    const { contestant, scorerId, subsets } = line
    spend(line)
    lost.set(contestant, (lost.get(contestant) ?? 0) + 1)
    for (const subset of subsetsOf(subsets)) addTo(groupOf(contestant, scorerId, subset), line)
  }
  for (const { contestant, kind, tags } of failedTrials) {
    for (const scorer of manifest.scorers.filter(({ kinds }) => kinds.includes(kind))) {
      const runs = scorer.judge ? manifest.judgeRuns : 1
      for (const subset of subsetsOf(tags)) groupOf(contestant, scorer.id, subset).failed += runs
    }
  }
  const all = [...groups.values()]
  return { cells: cellsOf(manifest, all), usage, failed: lost, skipped: skippedOf(manifest, all) }
}

const emptyGroup = (contestant: string, scorer: string, subset: string): Group => ({
  ...{ contestant, scorer, subset, metrics: new Map() },
  ...{ asked: counts(), skipped: counts(), reasons: counts(), failed: 0 },
})

function addTo(group: Group, { repeat, run: judgeRun, metrics = {}, skipped, failure }: ScoreLine): void {
  const run = `${repeat}.${judgeRun}`
  group.asked.add(run)
  if (failure) group.failed++
  if (skipped !== undefined) {
    group.skipped.add(run)
    group.reasons.add(skipped)
  }
  for (const [metric, value] of Object.entries(metrics)) {
    let sum = group.metrics.get(metric)
    if (!sum) group.metrics.set(metric, (sum = tally()))
    sum.add(run, value)
  }
}

const subsetsOf = (tags: readonly string[]): readonly string[] => [...new Set(['all', ...tags])]

/** Cells in the order of rows, scorers, subsets (`all` first) and metrics (those of the columns first). */
function cellsOf(manifest: Manifest, groups: readonly Group[]): readonly Cell[] {
  return manifest.methods.flatMap(({ id, method, variant }) =>
    manifest.scorers.flatMap((scorer) =>
      groups
        .filter((group) => group.contestant === id && group.scorer === scorer.id)
        .sort((a, b) => allFirst(a.subset, b.subset))
        .flatMap((group) =>
          metricsOf(scorer, group).map((metric): Cell => {
            const names = {
              dataset: manifest.dataset.name,
              method,
              variant,
              scorer: scorer.scorer,
              metric,
              subset: group.subset,
            }
            return {
              ...names,
              ...(group.metrics.get(metric) ?? tally()).summary(),
              failed: group.failed,
              skipped: group.skipped.most(),
            }
          }),
        ),
    ),
  )
}

function skippedOf(manifest: Manifest, groups: readonly Group[]): Scores['skipped'] {
  const found = groups.filter(({ subset, skipped }) => subset === 'all' && skipped.most() > 0)
  const listOf = (contestant: string): readonly SkippedScores[] =>
    manifest.scorers.flatMap(({ id, scorer }) =>
      found
        .filter((group) => group.contestant === contestant && group.scorer === id)
        .map(({ skipped, asked, reasons }) => ({
          scorer,
          skipped: skipped.most(),
          of: asked.most(),
          reasons: reasons.all(),
        })),
    )
  return new Map(manifest.methods.map(({ id }) => [id, listOf(id)]))
}

/** The metrics found, and those of the columns even where every trial failed. */
function metricsOf({ columns }: ScorerRecord, { metrics }: Group): readonly string[] {
  const shown = columns.map(({ metric }) => metric)
  const others = [...metrics.keys()].filter((metric) => !shown.includes(metric))
  return [...new Set([...shown, ...others.sort(byBytes)])]
}

const allFirst = (a: string, b: string): number => Number(b === 'all') - Number(a === 'all') || byBytes(a, b)

const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))
