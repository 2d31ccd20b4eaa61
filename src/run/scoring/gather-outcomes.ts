import { mean } from '../../math/statistics/descriptive.ts'
import type { ScoreLine, TrialLine } from '../../records.ts'
import { hashOf } from '../../text/hash.ts'
import type { Outcome, RatedScore } from '../../types.ts'
import { readCheckedTrials, readScores } from '../results/read-lines.ts'
import { needsOf, type Needed, type ScoredRow } from './gather-needs.ts'
import type { ScorerEntry } from './scorer-entry.ts'

/** Whether a scorer is given what became of a trial: then it is asked after the others, and of trials that failed, too. */
export const needsOutcome = (entry: Pick<ScorerEntry, 'scorer' | 'options'>): boolean => needsOf(entry).outcome === true

/**
 * Reads trials.jsonl and scores.jsonl once, after the scorers that rate answers have run, and gives for a trial what became of it and of the
 * trial of the oracle row on the same question in the same repeat; undefined for a failure that a later trial made good. Numbers are kept in
 * memory, one a trial and rating scorer, and the answers of the oracle row.
 */
export async function gatherOutcomes(
  { folder, scores }: { readonly folder: string; readonly scores: string },
  all: readonly ScorerEntry[],
  rows: ReadonlyMap<string, ScoredRow>,
): Promise<(trial: TrialLine) => Needed | undefined> {
  const oracle = [...rows.values()].find(({ use, inConfig }) => use === 'oracle' && inConfig !== false)
  const answered = new Set<string>()
  const oracleTrials = new Map<string, { readonly id: string; readonly answer: string }>()
  for await (const trial of readCheckedTrials(folder)) {
    if (trial.line !== 'trial' || !trial.answer) continue
    answered.add(trial.id)
    if (trial.methodId === oracle?.id) oracleTrials.set(placeOf(trial), { id: trial.id, answer: trial.answer.text })
  }
  const raters = all.filter(({ scorer }) => scorer.rates !== undefined)
  const values = new Map<string, number[]>()
  for await (const { trial, scorerId, metrics } of readScores(scores)) {
    const value = metrics?.[raters.find(({ id }) => id === scorerId)?.scorer.rates ?? '']
    if (value === undefined) continue
    const key = keyOf(trial, scorerId)
    values.set(key, [...(values.get(key) ?? []), value])
  }
  const scoresOf = (trial: string): readonly RatedScore[] =>
    raters.flatMap(({ id, label }) => {
      const own = values.get(keyOf(trial, id))
      return own ? [{ scorer: label, value: mean(own) }] : []
    })
  return (trial) => {
    if (!trial.answer && answered.has(trial.id)) return undefined
    const { context, answers } = rows.get(trial.methodId) ?? {}
    const best = answers ? undefined : oracleTrials.get(placeOf(trial))
    const outcome: Outcome = {
      ...(!trial.answer && { failed: true as const }),
      ...(context && { context }),
      ...(trial.methodId === oracle?.id && { isOracle: true as const }),
      scores: scoresOf(trial.id),
      ...(best !== undefined && { oracle: { scores: scoresOf(best.id), answer: best.answer } }),
      ...(trial.evidence && { evidence: trial.evidence }),
      deep: isDeep(trial, context),
    }
    return { given: { outcome }, digest: hashOf(outcome).slice(0, 12) }
  }
}

/** Whether more than the budget has was asked for, or the ranking ended within it: else evidence beyond the budget cannot be told from evidence that was not ranked. */
const isDeep = ({ asked, context, beyond, stopped }: TrialLine, own: Outcome['context']): boolean =>
  own === 'unlimited' || beyond !== undefined || (asked !== undefined && context.length < asked && stopped === 'end')

const keyOf = (trial: string, scorer: ScoreLine['scorerId']): string => `${trial} ${scorer}`

const placeOf = ({ corpus, question, repeat }: TrialLine): string => JSON.stringify([corpus, question.id, repeat])
