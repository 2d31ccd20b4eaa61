import { rangeOf } from '../../basics/metrics.ts'
import { deepFreeze, isObject } from '../../basics/plain-data.ts'
import type { Plan } from '../../config/index.ts'
import { type UsageCounter, type OpenedModels, createUsageCounter } from '../../models/index.ts'
import type { Failure, MethodRecord, ScoreLine, TrialLine } from '../../records.ts'
import { describe } from '../../text/validation-errors.ts'
import type { Score, Scorer, ScorerInput } from '../../types.ts'
import type { CallCounts } from '../progress.ts'
import { callWith } from '../calls/call-plug-in.ts'
import { copyOf } from '../execute/check-index.ts'
import { failureOf } from '../calls/plug-in-errors.ts'
import type { ScorerEntry } from '../prepare/scorer-entries.ts'
import type { ExtraInput } from './summarise-trials.ts'

/** One run of a scorer on a trial. */
export interface ScoreJob {
  readonly trial: TrialLine
  readonly row: MethodRecord
  readonly entry: ScorerEntry
  readonly run: number
  readonly extra: ExtraInput
}

/** Runs a scorer once. A failure is an outcome; with `notAsked` the scorer is not called. */
export async function scoreTrial(
  { trial, row, entry, run, extra: { fields, digest } }: ScoreJob,
  { seed, limits, counts }: { readonly seed: number; readonly limits: Plan['limits']; readonly counts: CallCounts },
  models: OpenedModels,
  notAsked?: Failure,
): Promise<{ line: ScoreLine; usage: UsageCounter }> {
  const { question, context, relevant, grades, id, method, variant, methodId, repeat } = trial
  const usage = createUsageCounter()
  const scope = models.scope({
    phase: 'judge',
    // repeats, and judge runs of one answer, have separate samples
    sample: repeat * 1000 + run,
    seed: [seed, 'judge', entry.id, id, run],
    counter: usage,
    onUsage: (increment) => counts.onUsage('judge', increment),
  })
  const tags = question.tags ?? []
  const lineOf = (
    outcome: Pick<ScoreLine, 'metrics' | 'parts' | 'skipped' | 'failure'>,
    subsets = tags,
  ): ScoreLine => ({
    trial: id,
    question: question.id,
    ...(question.cluster !== undefined && { cluster: question.cluster }),
    method,
    variant,
    methodId,
    repeat,
    scorer: entry.label,
    scorerId: entry.id,
    run,
    ...(digest !== undefined && { against: digest }),
    subsets,
    ...outcome,
    usage: usage.usage('judge'),
  })
  if (notAsked) return { usage, line: lineOf({ failure: notAsked }) }
  try {
    const input: ScorerInput = {
      question,
      context,
      answer: trial.answer ?? { text: '' },
      ...(trial.answer === null && { ranking: [...context, ...(trial.beyond ?? [])] }),
      ...(relevant && { relevant }),
      ...(grades && { grades }),
      ...(row.ranks === false && { ranked: false as const }),
      ...fields,
    }
    const { scorer, options, isExternal } = entry
    const call = { doing: 'score()', seconds: limits.scoreSeconds, limit: 'limits.scoreSeconds' }
    const result = isExternal
      ? await callWith(scope, call, async (callModels) => scorer.score(deepFreeze(input), callModels, options))
      : await scorer.score(input, scope, options)
    const score = checkScore(result, entry)
    if ('skipped' in score) return { usage, line: lineOf({ skipped: score.skipped }) }
    const { metrics, parts, subsets = [] } = score
    return { usage, line: lineOf({ metrics, ...(parts && { parts }) }, [...tags, ...subsets]) }
  } catch (error) {
    return { usage, line: lineOf({ failure: failureOf('judge', error) }) }
  }
}

/** The rounding error of sums and of 32-bit cosines at a bound. */
const tolerance = 1e-6

/** Validates the output of a scorer, which may be a plug-in. Throws Error with the fault. */
export function checkScore(
  score: unknown,
  { label, scorer }: { readonly label: string; readonly scorer: Pick<Scorer, 'ranges'> },
): Score {
  for (const fault of scoreFaults(score, scorer)) throw new Error(`${label} ${fault}`)
  const { metrics, skipped, subsets = [], parts } = score as Readonly<Record<string, unknown>>
  if (typeof skipped === 'string') return { skipped }
  return { metrics, subsets, ...(isObject(parts) && { parts: copyOf(parts, 'its score') }) } as Score
}

/** The faults of the output of a scorer, as sentences about the scorer. */
export function* scoreFaults(score: unknown, { ranges }: Pick<Scorer, 'ranges'>) {
  if (typeof score !== 'object' || score === null) {
    yield `gave ${describe(score)}: ${expectedShape}`
    return
  }
  const { metrics, skipped, subsets = [] } = score as Readonly<Record<string, unknown>>
  if (typeof skipped === 'string') return
  if (!isObject(metrics)) {
    yield `gave neither metrics nor the reason why it skipped: ${expectedShape}`
    return
  }
  if (!Array.isArray(subsets) || !subsets.every((subset) => typeof subset === 'string'))
    yield 'gave subsets that are no list of texts'
  for (const [metric, value] of Object.entries(metrics)) {
    const fault = faultOf(value, rangeOf(metric, ranges))
    if (fault !== undefined) yield `gave ${metric} = ${describe(value)}${fault}`
  }
}

const expectedShape = "give { metrics: { name: number } } or { skipped: 'why' }"

/** The fault of a metric value as the end of a sentence; undefined for a valid value. */
function faultOf(value: unknown, [least, greatest]: readonly [number, number]) {
  if (typeof value !== 'number' || !Number.isFinite(value)) return ''
  if (value >= least - tolerance && value <= greatest + tolerance) return undefined
  const advice =
    least === 0 && greatest === 1
      ? 'give fractions, or state the metric\'s range in "ranges"'
      : 'the range that "ranges" states'
  return `, outside ${Number(least.toFixed(4))} to ${Number(greatest.toFixed(4))}: ${advice}`
}
