import { rangeOf } from '../../basics/metrics.ts'
import { isObject } from '../../basics/plain-data.ts'
import type { Limits } from '../../config/index.ts'
import { type Meter, type OpenedModels, createMeter } from '../../models/index.ts'
import type { Failure, ScoreLine, TrialLine } from '../../records.ts'
import { describe } from '../../text/validation-errors.ts'
import type { Score, Scorer } from '../../types.ts'
import type { CallCounts } from '../asking/call-counts.ts'
import { guardScorer } from '../calls/guards.ts'
import { failureOf } from '../calls/plain-error.ts'
import type { ScorerEntry } from '../prepare/scorer-entries.ts'
import type { Needed, ScoredRow } from './collect-trials.ts'

/** One run of a scorer on a trial. */
export interface ScoreJob {
  readonly trial: TrialLine
  readonly row: ScoredRow
  readonly entry: ScorerEntry
  readonly run: number
  readonly needed: Needed
}

/** Runs a scorer once. A failure is an outcome, not an exception; `notAsked` is one that is known before. */
export async function scoreTrial(
  { trial, row, entry, run, needed: { given, digest } }: ScoreJob,
  { seed, limits, counts }: { readonly seed: number; readonly limits: Limits; readonly counts: CallCounts },
  models: OpenedModels,
  notAsked: Failure | undefined,
): Promise<{ line: ScoreLine; meter: Meter }> {
  const { question, context, beyond = [], relevant, grades, id, method, variant, methodId, repeat } = trial
  const meter = createMeter()
  const scope = models.scope({
    phase: 'judge',
    // repeats draw apart from each other, and so do the judge runs of one answer
    sample: repeat * 1000 + run,
    seed: [seed, 'judge', entry.id, id, run],
    meter,
    onUsage: (more) => counts.onUsage('judge', more),
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
    usage: meter.usage('judge'),
  })
  if (notAsked) return { meter, line: lineOf({ failure: notAsked }) }
  try {
    const input = {
      question,
      context,
      answer: trial.answer ?? { text: '' },
      ...(trial.answer === null && { ranking: [...context, ...beyond] }),
      ...(relevant && { relevant }),
      ...(grades && { grades }),
      ...(row.ranks === false && { ranked: false as const }),
      ...given,
    }
    const score = checkScore(await guardScorer(entry, { limits }).score(input, scope, entry.options), entry)
    if ('skipped' in score) return { meter, line: lineOf({ skipped: score.skipped }) }
    const { metrics, parts, subsets = [] } = score
    return { meter, line: lineOf({ metrics, ...(parts && { parts }) }, [...tags, ...subsets]) }
  } catch (error) {
    return { meter, line: lineOf({ failure: failureOf('judge', error) }) }
  }
}

/** Sums of floating point numbers and cosines of 32 bits may pass a bound by as much. */
const tolerance = 1e-6

/** What a scorer gave, or an Error that says what is wrong with it: a scorer may be a plug-in. */
export function checkScore(
  score: unknown,
  { label, scorer }: { readonly label: string; readonly scorer: Pick<Scorer, 'ranges'> },
): Score {
  for (const fault of scoreFaults(score, scorer)) throw new Error(`${label} ${fault}`)
  const { metrics, skipped, subsets = [], parts } = score as Readonly<Record<string, unknown>>
  if (typeof skipped === 'string') return { skipped }
  return { metrics, subsets, ...(isObject(parts) && { parts }) } as Score
}

/** All that is wrong with what a scorer gave, as sentences about the scorer. */
export function* scoreFaults(score: unknown, { ranges }: Pick<Scorer, 'ranges'>): Generator<string> {
  if (typeof score !== 'object' || score === null) {
    yield `gave ${describe(score)}: ${expected}`
    return
  }
  const { metrics, skipped, subsets = [] } = score as Readonly<Record<string, unknown>>
  if (typeof skipped === 'string') return
  if (!isObject(metrics)) {
    yield `gave neither metrics nor the reason why it skipped: ${expected}`
    return
  }
  if (!Array.isArray(subsets) || !subsets.every((subset) => typeof subset === 'string'))
    yield 'gave subsets that are no list of texts'
  for (const [metric, value] of Object.entries(metrics)) {
    const fault = faultOf(value, rangeOf(metric, ranges))
    if (fault !== undefined) yield `gave ${metric} = ${describe(value)}${fault}`
  }
}

const expected = "give { metrics: { name: number } } or { skipped: 'why' }"

/** What is wrong with the value of a metric, as the end of a sentence. */
function faultOf(value: unknown, [least, greatest]: readonly [number, number]): string | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return ''
  if (value >= least - tolerance && value <= greatest + tolerance) return undefined
  const advice =
    least === 0 && greatest === 1
      ? 'give fractions, or state the metric\'s range in "ranges"'
      : 'the range that "ranges" states'
  return `, outside ${Number(least.toFixed(4))} to ${Number(greatest.toFixed(4))}: ${advice}`
}
