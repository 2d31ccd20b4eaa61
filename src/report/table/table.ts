import type { Manifest, MeterLine, Row, ScoreLine, IndexLine, TrialLine } from '../records.ts'
import type { Phase, Usage } from '../types.ts'
import { gatherScores, type SkippedScores } from './gather-scores.ts'
import { gatherTrials, noFacts, type RowFacts } from './gather-trials.ts'
import { moneyOf } from './money.ts'
import type { Summary } from './tally.ts'
import { addUsage, noUsage } from './usage.ts'

/** A number of a table. Scores are fractions; null where nothing could be scored. */
export interface Cell extends Row, Summary {
  readonly dataset: string
  readonly scorer: string
  readonly metric: string
  /** `all`, a tag of the questions, or a subset that the scorer found. */
  readonly subset: string
  readonly failed: number
  /** Answers that the scorer declined, in the run in which it declined most. */
  readonly skipped: number
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
  readonly rows: readonly TableRow[]
}

/** What a row was like beside its numbers. `failed` counts trials, `failedScores` scores that failed although their trial did not. */
export interface TableRow extends Row, RowFacts {
  readonly failedScores: number
  readonly skipped: readonly SkippedScores[]
  /** Tokens that a trial spent on its query (retrieve and answer), in the mean; null where there is no trial. */
  readonly perQuestion: PerQuestion | null
}

export type PerQuestion = Readonly<Record<'promptTokens' | 'completionTokens', number>>

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
      const tokens = used ?? noUsage
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
    const skipped = scores.skipped.get(id) ?? []
    const facts = trials.rows.get(id) ?? noFacts
    const asking = addUsage(trials.usage.get(`${id} retrieve`), trials.usage.get(`${id} answer`) ?? noUsage)
    return { method, variant, ...facts, failedScores, skipped, perQuestion: perQuestion(asking, facts.trials) }
  })
  return { name: manifest.name, hash: manifest.hash, dataset: manifest.dataset.name, cells: scores.cells, usage, rows }
}

export const phases: readonly Phase[] = ['index', 'retrieve', 'answer', 'judge']

const perQuestion = ({ promptTokens, completionTokens }: Usage, trials: number): PerQuestion | null =>
  trials === 0 ? null : { promptTokens: promptTokens / trials, completionTokens: completionTokens / trials }

const keyOf = ({ method, variant }: Row, phase: Phase): string => JSON.stringify([method, variant, phase])
