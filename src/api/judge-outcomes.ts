import { z } from 'zod'
import { countEach, itemAt } from '../basics/collections.ts'
import type { Plan } from '../config/index.ts'
import { ModelError } from '../errors.ts'
import type { Meter, OpenedModels } from '../models/index.ts'
import type { JudgeBench } from '../records.ts'
import type { BenchedAnswer, BenchedPair } from '../report/judge/bench-measures.ts'
import { guardScorer } from '../run/calls/guards.ts'
import { failureOf } from '../run/calls/plain-error.ts'
import { forEachJob } from '../run/for-each-job.ts'
import type { Progress } from '../run/index.ts'
import { checkScore } from '../run/scoring/score-lines.ts'
import type { ScorerEntry } from '../run/prepare/scorer-entries.ts'
import { allDone, isSupported, verdictsOn } from '../scorers/measures/ragas/claims.ts'
import type { LabelledAnswerText, LabelledClaims, LabelledPair, Models, Scored } from '../types.ts'
import { scorerInputOf, type Asked } from './score.ts'

/** What came of one answer or claim, or of a pair: a verdict, or why there is none. */
type Outcome<B> = B | { readonly skipped: string } | { readonly failed: string; readonly message: string }

interface AskedScorer {
  readonly entry: ScorerEntry
  readonly metric: string
  readonly plan: Pick<Plan, 'seed' | 'concurrency' | 'limits'>
}

/** The same, by which calls, and when it must stop. */
export interface Asking extends AskedScorer {
  readonly models: OpenedModels
  readonly meter: Meter
  readonly stop: AbortSignal
  readonly progress?: Progress
}

/** Verdicts, and what has none, counted by why. */
interface Judged<B> extends Pick<JudgeBench, 'failed' | 'skipped' | 'firstFailure'> {
  readonly verdicts: readonly B[]
}

/** Asks the judge of a scorer about labelled texts; a call that fails is an outcome. Throws once it is stopped. */
export const judgeAnswers = (items: readonly LabelledAnswerText[], asking: Asking): Promise<Judged<BenchedAnswer>> =>
  judged(items, asking, async (one, models) => [await answerJudged(one, asking, models)])

/** The same of pairs. A scorer that compares answers sees both at once, in either order; another one each by itself. */
export const judgePairs = (items: readonly LabelledPair[], asking: Asking): Promise<Judged<BenchedPair>> =>
  judged(items, asking, async (pair, models) => [await pairJudged(pair, asking, models)])

/** The same of claims: those of an answer in one call. */
export const judgeClaims = (items: readonly LabelledClaims[], asking: Asking): Promise<Judged<BenchedAnswer>> =>
  judged(items, asking, claimsJudged)

async function judged<
  I extends { readonly where: string; readonly claims?: readonly unknown[] },
  B extends BenchedAnswer,
>(
  items: readonly I[],
  { entry, models, plan, meter, stop, progress }: Asking,
  judge: (item: I, models: Models) => Promise<readonly Outcome<B>[]>,
): Promise<Judged<B>> {
  const outcomes: (readonly Outcome<B>[])[] = []
  progress?.start('judge', items.length)
  await forEachJob(items.entries(), Math.max(plan.concurrency, models.togetherAtLeast()), async ([place, item]) => {
    stop.throwIfAborted()
    const seed = [plan.seed, 'judge bench', entry.id, place]
    const scope = models.scope({ phase: 'judge', sample: 0, seed, meter })
    const given = await judge(item, scope).catch((error: unknown): readonly Outcome<B>[] => {
      const { kind, message } = failureOf('judge', error)
      const failed =
        error instanceof ModelError ? (unread[kind] ?? `calls that failed (${kind})`) : 'errors of the scorer'
      return (item.claims ?? [item]).map(() => ({ failed, message }))
    })
    stop.throwIfAborted()
    outcomes[place] = given
    progress?.tick(
      'judge',
      given.some((one) => 'failed' in one),
    )
  }).finally(() => progress?.end('judge'))
  const all = outcomes.flat()
  const failures = all.flatMap((one) => ('failed' in one ? [one] : []))
  const [first] = failures
  return {
    verdicts: all.filter((one): one is B => 'judge' in one),
    failed: countsOf(failures.map(({ failed }) => failed)),
    skipped: countsOf(all.flatMap((one) => ('skipped' in one ? [one.skipped] : []))),
    ...(first && { firstFailure: first.message }),
  }
}

const countsOf = (reasons: readonly string[]): Readonly<Record<string, number>> =>
  Object.fromEntries(countEach(reasons))

const unread: Readonly<Record<string, string>> = {
  reply: 'replies that could not be read',
  refused: 'calls that the model refused',
}

async function scoreOf(
  asked: Asked,
  { entry, plan }: Omit<AskedScorer, 'metric'>,
  models: Models,
): Promise<Scored | { readonly skipped: string }> {
  const input = scorerInputOf(asked, entry.scorer, (text) => models.countTokens(text))
  return checkScore(await guardScorer(entry, plan).score(input, models, entry.options), entry)
}

async function answerJudged(
  { cluster, question, answer, reference, context = [], label }: LabelledAnswerText,
  asking: AskedScorer,
  models: Models,
): Promise<Outcome<BenchedAnswer>> {
  const asked = { question, answer, context, ...(reference !== undefined && { reference }) }
  const score = await scoreOf(asked, asking, models)
  if ('skipped' in score) return score
  const judge = score.metrics[asking.metric]
  return judge === undefined ? noScore(asking.metric) : { cluster, human: label, judge }
}

const noScore = (metric: string) => ({ skipped: `the scorer gave no ${metric}` })

async function pairJudged(
  { cluster, question, reference, first, second, labels }: LabelledPair,
  asking: AskedScorer,
  models: Models,
): Promise<Outcome<BenchedPair>> {
  const { entry, metric } = asking
  const longer = Math.sign(models.countTokens(second) - models.countTokens(first)) as -1 | 0 | 1
  const human = labels.reduce((sum, one) => sum + one, 0) / labels.length
  const known = { cluster, human, humans: labels, longer }
  if (entry.scorer.needs?.(entry.options).opponents) {
    const opponents = [{ row: 'first', answer: { text: first } }]
    const score = await scoreOf({ question, reference, answer: second, opponents }, asking, models)
    if ('skipped' in score) return score
    const won = score.metrics[metric]
    const places = placesIn(score.parts, metric)
    return won === undefined ? noScore(metric) : { ...known, judge: 2 * won - 1, ...(places && { places }) }
  }
  const [a, b] = await allDone([
    scoreOf({ question, reference, answer: first }, asking, models),
    scoreOf({ question, reference, answer: second }, asking, models),
  ])
  if ('skipped' in a) return a
  if ('skipped' in b) return b
  const [ofFirst, ofSecond] = [a.metrics[metric], b.metrics[metric]]
  return ofFirst === undefined || ofSecond === undefined ? noScore(metric) : { ...known, judge: ofSecond - ofFirst }
}

/** Which place won in either order, as the scorer `pairwise` keeps it; undefined of another one. */
function placesIn(parts: Scored['parts'], metric: string): BenchedPair['places'] {
  const read = z.object({ pairs: z.array(comparedPair) }).safeParse(parts)
  const pair = read.data?.pairs.find(({ criterion }) => criterion === metric)
  return pair && [pair.shownFirst.winner, pair.shownSecond.winner]
}

const shown = z.object({ winner: z.literal([0, 1, 2]) })
const comparedPair = z.object({ criterion: z.string(), shownFirst: shown, shownSecond: shown })

async function claimsJudged(
  { cluster, claims, context }: LabelledClaims,
  models: Models,
): Promise<readonly Outcome<BenchedAnswer>[]> {
  const texts = claims.map(({ text }) => text)
  const verdicts = await verdictsOn(texts, context.join('\n'), models)
  if (verdicts.length !== claims.length)
    throw new ModelError('reply', `verify-claims: ${verdicts.length} verdicts on ${claims.length} claims`)
  return claims.map(({ label }, place) => {
    return { cluster, human: label, judge: isSupported(itemAt(verdicts, place)) ? 1 : 0 }
  })
}
