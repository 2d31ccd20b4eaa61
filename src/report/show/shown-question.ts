import { rowName } from '../../text/names.ts'
import type { MethodRecord, ScoreLine, TrialLine } from '../../records.ts'
import type { Question } from '../../types.ts'
import type { DiffSide } from '../diff/pair-rows.ts'

/** A question with all that the rows of a run made of it. */
export interface ShownQuestion {
  readonly question: Question
  readonly rows: readonly ShownRow[]
}

/** What a row made of a question, a trial a repeat. */
export interface ShownRow {
  readonly row: string
  readonly trials: readonly ShownTrial[]
}

/** Exactly one of `answer` and `failure`; scores in the order of the scorers and judge runs. */
export interface ShownTrial extends Pick<
  TrialLine,
  'corpus' | 'repeat' | 'context' | 'stopped' | 'asked' | 'beyond' | 'answer' | 'failure' | 'usage'
> {
  readonly scores: readonly ShownScore[]
}

/** Exactly one of `metrics`, `skipped` and `failure`: numbers, why there are none, or what failed. */
export type ShownScore = Pick<ScoreLine, 'scorer' | 'run' | 'metrics' | 'parts' | 'skipped' | 'failure'>

/** The questions of those ids, in that order, with all texts: trials and scores are read once, and no other text is kept. */
export async function shownQuestions(
  { manifest, trials, scores }: Pick<DiffSide, 'manifest' | 'trials' | 'scores'>,
  rows: readonly MethodRecord[],
  ids: readonly string[],
): Promise<readonly ShownQuestion[]> {
  const wanted = new Set(ids)
  const known = new Set(rows.map(({ id }) => id))
  const found = new Map<string, TrialLine>()
  for await (const line of trials())
    // a later line has made a failure good
    if (line.line === 'trial' && known.has(line.methodId) && wanted.has(line.question.id)) found.set(line.id, line)
  const order = new Map(manifest.scorers.map(({ id }, index) => [id, index]))
  const scored = new Map<string, Map<string, ScoreLine>>()
  for await (const line of scores()) {
    if (!found.has(line.trial) || !order.has(line.scorerId)) continue
    const own = scored.get(line.trial) ?? new Map<string, ScoreLine>()
    scored.set(line.trial, own.set(`${line.scorerId} ${line.run}`, line))
  }
  const scoresOf = (trial: string): readonly ShownScore[] =>
    [...(scored.get(trial)?.values() ?? [])]
      .sort((a, b) => (order.get(a.scorerId) ?? 0) - (order.get(b.scorerId) ?? 0) || a.run - b.run)
      .map(scoreOf)
  const all = [...found.values()]
  return ids.flatMap((id) => {
    const own = all.filter(({ question }) => question.id === id)
    const [first] = own
    if (!first) return []
    const shown = rows.map((row) => ({ row: rowName(row), trials: own.filter(({ methodId }) => methodId === row.id) }))
    return [
      {
        question: first.question,
        rows: shown.map(({ row, trials: made }) => ({
          row,
          trials: [...made].sort((a, b) => a.repeat - b.repeat).map((line) => trialOf(line, scoresOf(line.id))),
        })),
      },
    ]
  })
}

const trialOf = (
  { corpus, repeat, context, stopped, asked, beyond, answer, failure, usage }: TrialLine,
  scores: readonly ShownScore[],
): ShownTrial => ({
  ...{ corpus, repeat, context, stopped },
  ...(asked !== undefined && { asked }),
  ...(beyond && { beyond }),
  ...(answer && { answer }),
  ...(failure && { failure }),
  ...{ scores, usage },
})

const scoreOf = ({ scorer, run, metrics, parts, skipped, failure }: ScoreLine): ShownScore => ({
  ...{ scorer, run },
  ...(metrics && { metrics }),
  ...(parts && { parts }),
  ...(skipped !== undefined && { skipped }),
  ...(failure && { failure }),
})
