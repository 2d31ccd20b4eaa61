import type { Manifest, MeterLine, Row, ScoreLine, IndexLine, TrialLine } from '../records.ts'
import type { Phase, Usage } from '../types.ts'
import { gatherScores } from './gather-scores.ts'
import { gatherTrials, type RowFacts } from './gather-trials.ts'
import { moneyOf } from './money.ts'

/** A number of a table. Scores are fractions; null where nothing could be scored. */
export interface Cell extends Row {
  readonly dataset: string
  readonly scorer: string
  readonly metric: string
  /** `all`, a tag of the questions, or a subset that the scorer found. */
  readonly subset: string
  readonly mean: number | null
  readonly variance: number | null
  readonly runs: number
  readonly n: number
  readonly failed: number
}

/** What a row spent in one phase; cached calls are counted as if made, and once more in `cached`. */
export interface UsageCell extends Row, Usage {
  readonly phase: Phase
  readonly cached: number
  readonly milliseconds: number
  /** In the currency of the prices; absent where the config names none. */
  readonly money?: number
}

/** A run as numbers: what table.json holds. */
export interface Table {
  readonly name: string
  readonly hash: string
  readonly dataset: string
  readonly cells: readonly Cell[]
  readonly usage: readonly UsageCell[]
  readonly rows: readonly (Row & RowFacts & { readonly failedScores: number })[]
}

/** The lines of a results folder. */
export interface Journals {
  readonly trials: () => AsyncIterable<IndexLine | TrialLine>
  readonly scores: () => AsyncIterable<ScoreLine>
  readonly meter: () => AsyncIterable<MeterLine>
}

/** The table of a run: a function of its manifest and lines, read once each, in constant memory. */
export async function tableOf(manifest: Manifest, journals: Journals): Promise<Table> {
  const trials = await gatherTrials(manifest, journals.trials())
  const scores = await gatherScores(manifest, journals.scores(), trials.failures)
  const spent = new Map<string, { cached: number; milliseconds: number }>()
  for await (const { method, variant, phase, cached, milliseconds } of journals.meter()) {
    const key = keyOf({ method, variant }, phase)
    const sum = spent.get(key) ?? { cached: 0, milliseconds: 0 }
    spent.set(key, { cached: sum.cached + cached, milliseconds: sum.milliseconds + milliseconds })
  }
  const usage = manifest.methods.flatMap(({ method, variant, id }) =>
    phases.map((phase) => {
      const used = (phase === 'judge' ? scores.usage : trials.usage).get(`${id} ${phase}`)
      // rows that differ in their labels alone share their lines, which bear the first one's
      const twins = manifest.methods.filter((other) => other.id === id)
      const marks = twins.map((twin) => spent.get(keyOf(twin, phase))).find(Boolean)
      const { cached = 0, milliseconds = 0 } = marks ?? {}
      const tokens = used ?? nothing
      const money = moneyOf(manifest.models, phase, tokens)
      return {
        method,
        variant,
        phase,
        ...tokens,
        cached,
        milliseconds: Math.round(milliseconds),
        ...(money !== undefined && { money }),
      }
    }),
  )
  const rows = manifest.methods.map(({ method, variant, id }) => {
    const failedScores = scores.failed.get(id) ?? 0
    return { method, variant, ...(trials.rows.get(id) ?? noFacts), failedScores }
  })
  return { name: manifest.name, hash: manifest.hash, dataset: manifest.dataset.name, cells: scores.cells, usage, rows }
}

export const phases: readonly Phase[] = ['index', 'retrieve', 'answer', 'judge']

const nothing: Usage = { calls: 0, promptTokens: 0, completionTokens: 0, embeddedTokens: 0, estimated: 0 }

const noFacts: RowFacts = { trials: 0, failed: 0, canned: 0, unreadable: 0, passages: null, contextTokens: null }

const keyOf = ({ method, variant }: Row, phase: Phase): string => JSON.stringify([method, variant, phase])
