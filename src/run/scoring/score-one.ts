import { createMeter, type Meter, type OpenedModels } from '../../models/index.ts'
import type { Limits } from '../../config/index.ts'
import type { ScoreLine } from '../../records.ts'
import { failureOf } from '../failure.ts'
import { guardScorer } from '../strangers/guard-scorer.ts'
import { checkScore } from './check-score.ts'
import type { ScoreJob } from './score-jobs.ts'

/** Runs a scorer once on an answer. A failure is an outcome, not an exception. */
export async function scoreOne(
  { trial, answer, row, entry, run, needed: { given, digest } }: ScoreJob,
  { seed, limits }: { readonly seed: number; readonly limits: Limits },
  models: OpenedModels,
): Promise<{ line: ScoreLine; meter: Meter }> {
  const { question, context, relevant, id, method, variant, methodId, repeat } = trial
  const meter = createMeter()
  const scope = models.scope({
    phase: 'judge',
    // repeats draw apart from each other, and so do the judge runs of one answer
    sample: repeat * 1000 + run,
    seed: [seed, 'judge', entry.id, id, run],
    meter,
  })
  const asked = { question: question.id, ...(question.cluster !== undefined && { cluster: question.cluster }) }
  const head = {
    trial: id,
    ...asked,
    method,
    variant,
    methodId,
    repeat,
    scorer: entry.label,
    scorerId: entry.id,
    run,
    ...(digest !== undefined && { against: digest }),
  }
  const tags = question.tags ?? []
  try {
    const ranked = row.ranks === false && { ranked: false as const }
    const scorer = guardScorer(entry, { limits, of: [id, run] })
    const input = { question, context, answer, ...(relevant && { relevant }), ...ranked, ...given }
    const score = checkScore(await scorer.score(input, scope, entry.options), entry)
    const usage = meter.usage('judge')
    if ('skipped' in score) return { meter, line: { ...head, subsets: tags, skipped: score.skipped, usage } }
    const { metrics, parts, subsets = [] } = score
    return { meter, line: { ...head, subsets: [...tags, ...subsets], metrics, ...(parts && { parts }), usage } }
  } catch (error) {
    return { meter, line: { ...head, subsets: tags, failure: failureOf('judge', error), usage: meter.usage('judge') } }
  }
}
