import { groupBy } from '../../basics/collections.ts'
import { rangeOf } from '../../basics/metrics.ts'
import { memoise } from '../../basics/memoise.ts'
import type { Manifest } from '../../records.ts'
import { type DiffSide, readRun, type ReadRun } from '../diff/read-run.ts'
import { columnsOf } from '../render/columns.ts'
import type { Table } from '../table/table.ts'
import type { NoScore, PageMetric } from './page-data.ts'

/** A run that a page shows, with the table of its lines. */
export interface PageRun extends DiffSide {
  readonly folder: string
  readonly table: Table
  readonly graphs: readonly GraphPage[]
}

/** A page of `gembench graph`: the name of its row, its corpus, and its address as seen from the report. */
export interface GraphPage {
  readonly row: string
  readonly corpus: string
  readonly address: string
}

/** The questions in the order of the trials, and their scores by metric and row; all rows of the first run first. */
interface QuestionScores {
  /** By its place among the runs, the id of a question there; absent where it was not asked. */
  readonly questions: readonly (readonly (string | undefined)[])[]
  readonly metrics: readonly PageMetric[]
}

/**
 * Reads all scores. Questions of several runs are one by id, text and reference; where files differ, without the id.
 */
export async function questionScores(runs: readonly PageRun[]): Promise<QuestionScores> {
  const read: ReadRun[] = []
  for (const run of runs) read.push(await readRun(run, run.manifest.methods))
  const byText = new Set(runs.map(({ manifest }) => manifest.dataset.checksum)).size > 1
  const found = new Map<string, (string | undefined)[]>()
  const withDigest = memoise((_digest: string): string[] => [])
  read.forEach(({ questions }, index) => {
    const own = new Set(Array.from(questions, ([id, { digest }]) => JSON.stringify([id, digest])))
    for (const [id, { digest }] of questions) {
      const key = JSON.stringify([id, digest])
      const isFree = (other: string): boolean => !own.has(other) && found.get(other)?.[index] === undefined
      const known = found.has(key) || !byText ? key : (withDigest(digest).find(isFree) ?? key)
      const ids = found.get(known) ?? runs.map(() => undefined)
      if (!found.has(known)) withDigest(digest).push(known)
      ids[index] = id
      found.set(known, ids)
    }
  })
  const questions = [...found.values()]
  return {
    questions,
    metrics: metricsOf(runs).map(({ scorer, metric, name, range, hasRange }) => {
      const outcomes = runs.map(({ manifest }, run) =>
        manifest.methods.map((row) => read[run]?.outcomesOf(row, { scorer, metric })),
      )
      const scoreOf = (ids: readonly (string | undefined)[], run: number, row: number): number | NoScore => {
        const id = ids[run]
        const outcome = id === undefined ? undefined : outcomes[run]?.[row]?.get(id)
        if (!outcome) return 'not asked'
        if (outcome.score !== null) return Math.round(outcome.score * 1e4) / 1e4
        return outcome.failed ? 'failed' : 'declined'
      }
      return {
        scorer,
        metric,
        name,
        range,
        right: hasRange ? (range[0] + range[1]) / 2 : null,
        scores: questions.map((ids) =>
          runs.flatMap(({ manifest }, run) => manifest.methods.map((_, row) => scoreOf(ids, run, row))),
        ),
      }
    }),
  }
}

interface Metric {
  readonly scorer: string
  readonly metric: string
  readonly name: string
  readonly range: readonly [number, number]
  readonly hasRange: boolean
}

/** The metrics that the tables show of all questions, each once; that which is compared first. */
function metricsOf(runs: readonly PageRun[]): readonly Metric[] {
  const all = runs.flatMap(({ manifest, table }) => shownIn(manifest, table))
  const first = runs[0]?.table.comparison
  const byName = groupBy(all, ({ scorer, metric }) => JSON.stringify([scorer, metric]))
  const once = Array.from(byName.values(), ([one]) => one)
  const compared = once.find(({ scorer, metric }) => scorer === first?.scorer && metric === first.metric)
  return compared ? [compared, ...once.filter((one) => one !== compared)] : once
}

const shownIn = (manifest: Manifest, table: Table): readonly Metric[] =>
  columnsOf(manifest, table)
    .filter(({ subset }) => subset === 'all')
    .map(({ scorer, metric, label, unit }) => ({
      scorer,
      metric,
      name: label,
      hasRange: unit === 'percent',
      range: rangeOf(metric, manifest.scorers.find((one) => one.scorer === scorer)?.ranges),
    }))

/** Which row and corpus a graph page shows, by its title, `CORPUS: ROW`; undefined where it shows none of the rows. */
export function shownInGraph(
  beginning: string,
  rows: readonly string[],
): { readonly row: string; readonly corpus: string } | undefined {
  const [, escaped] = /<title>([^<]*)<\/title>/.exec(beginning) ?? []
  const title = escaped?.replace(/&#(\d+);/g, (_mark, code: string) => String.fromCharCode(Number(code))) ?? ''
  // a row may be named as the end of another one is
  const [row] = rows.filter((one) => title.endsWith(`: ${one}`)).sort((a, b) => b.length - a.length)
  return row === undefined ? undefined : { row, corpus: title.slice(0, -`: ${row}`.length) }
}
