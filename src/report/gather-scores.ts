import type { Manifest, ScoreLine, ScorerRecord } from '../records.ts'
import type { Usage } from '../types.ts'
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
  failed: number
}

export interface Scores {
  readonly cells: readonly Cell[]
  /** By contestant and phase. */
  readonly usage: ReadonlyMap<string, Usage>
  /** Scores that failed although their trial did not, by contestant. */
  readonly failed: ReadonlyMap<string, number>
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
    if (!group) groups.set(key, (group = { contestant, scorer, subset, metrics: new Map(), failed: 0 }))
    return group
  }
  const usage = new Map<string, Usage>()
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
    const judging = `${line.contestant} judge`
    usage.set(judging, addUsage(usage.get(judging), line.usage))
    for (const subset of subsetsOf(line.subsets)) {
      const { metrics } = groupOf(line.contestant, line.scorerId, subset)
      for (const [metric, value] of Object.entries(line.metrics ?? {})) {
        let sum = metrics.get(metric)
        if (!sum) metrics.set(metric, (sum = tally()))
        sum.add(`${line.repeat}.${line.run}`, value)
      }
    }
  }
  const lost = new Map<string, number>()
  for (const { contestant, scorerId, subsets } of failed.values()) {
    lost.set(contestant, (lost.get(contestant) ?? 0) + 1)
    for (const subset of subsetsOf(subsets)) groupOf(contestant, scorerId, subset).failed++
  }
  for (const { contestant, kind, tags } of failedTrials) {
    for (const scorer of manifest.scorers.filter(({ kinds }) => kinds.includes(kind))) {
      const runs = scorer.judge ? manifest.judgeRuns : 1
      for (const subset of subsetsOf(tags)) groupOf(contestant, scorer.id, subset).failed += runs
    }
  }
  return { cells: cellsOf(manifest, [...groups.values()]), usage, failed: lost }
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
            const { mean, variance, runs, n } = (group.metrics.get(metric) ?? tally()).summary()
            const names = {
              dataset: manifest.dataset.name,
              method,
              variant,
              scorer: scorer.scorer,
              metric,
              subset: group.subset,
            }
            return { ...names, mean, variance, runs, n, failed: group.failed }
          }),
        ),
    ),
  )
}

/** The metrics found, and those of the columns even where every trial failed. */
function metricsOf({ columns }: ScorerRecord, { metrics }: Group): readonly string[] {
  const shown = columns.map(({ metric }) => metric)
  const others = [...metrics.keys()].filter((metric) => !shown.includes(metric))
  return [...new Set([...shown, ...others.sort(byBytes)])]
}

const allFirst = (a: string, b: string): number => Number(b === 'all') - Number(a === 'all') || byBytes(a, b)

const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))
