import { basename } from 'node:path'
import { dollars, priceOf } from '../basics/dollars.ts'
import { correctThreshold, whyNoDirection } from '../basics/metrics.ts'
import type { Plan } from '../config/index.ts'
import { fileChecksum } from '../datasets/index.ts'
import { UserError } from '../errors.ts'
import { readLabelled, type LabelledColumn } from '../formats/labelled-texts.ts'
import { createMeter } from '../models/index.ts'
import type { JudgeBench } from '../records.ts'
import { answerMeasures, pairMeasures, type BenchedAnswer } from '../report/judge/bench-measures.ts'
import { judgedMetric, judgedScorer, readsContext, type JudgedMetric } from '../report/judge/judged-rows.ts'
import { type Progress, type Settings, version } from '../run/index.ts'
import { openPlanModels } from '../run/prepare/open-plan-models.ts'
import { refuseUnableModels, refuseUnpriced } from '../run/prepare/prepare.ts'
import { scorerEntriesOf, scorerRecords, type ScorerEntry } from '../run/prepare/scorer-entries.ts'
import { stopOf } from '../run/settings.ts'
import { pairwise } from '../scorers/pairwise.ts'
import { hashOf } from '../text/hash.ts'
import type { Labelled } from '../types.ts'
import { judgeAnswers, judgeClaims, judgePairs, type Asking } from './judge-outcomes.ts'

export { labelledColumnNames, type LabelledColumn } from '../formats/labelled-texts.ts'

/** Which judge is compared with which labels. */
interface BenchRequest {
  /** The file of labels; the form is told by what it holds. */
  readonly labels: string
  /** Names of its columns, where they are not the usual ones. */
  readonly columns?: Readonly<Partial<Record<LabelledColumn, string>>>
  /** A label of the config (default: the first scorer that asks a judge). */
  readonly scorer?: string
  /** Default: that of the scorer's first column. */
  readonly metric?: string
  /** From which score on an answer counts as right (default: .5 where every label is 0 or 1). */
  readonly threshold?: number
  /** How many answers, or pairs, to draw at random (default: all). */
  readonly size?: number
}

/**
 * Asks the judge of a scorer about texts that people labelled, and measures how far it agrees with them. The dataset
 * and the methods of the plan are not read. Throws UserError where the scorer cannot judge such texts.
 */
export async function benchJudge(
  plan: Plan,
  request: BenchRequest,
  settings: Settings,
  progress?: Progress,
): Promise<JudgeBench> {
  const { labelled, blank, by } = await readLabelled(request.labels, request.columns ?? {})
  const { models, close } = await openPlanModels(plan, settings)
  try {
    const entries = await scorerEntriesOf(plan.scorers ?? [], models, undefined)
    const record = judgedScorer({ scorers: scorerRecords(entries) }, request.scorer)
    const judged = judgedMetric(record, request.metric)
    const entry = entries.find(({ label }) => label === record.scorer)
    if (!entry) throw new Error(`no scorer is labelled ${record.scorer}`)
    refuseUnfit(entry, judged, labelled, request)
    refuseUnableModels({ scorers: [entry] }, models)
    refuseUnpriced(['judge'], [entry], models, settings)
    const meter = createMeter()
    const stop = stopOf(settings, models, { roles: ['judge'], scorers: [entry] })
    const asking = { entry: onOneCriterion(entry, judged.metric), metric: judged.metric, models, plan, meter, stop }
    const told = { ...asking, ...(progress && { progress }) }
    const drawn = <T>(items: readonly T[]): readonly T[] => drawnOf(items, request.size, plan.seed)
    const found = await measured(labelled, drawn, told, request.threshold)
    models.sent.shown(meter)
    const usage = meter.usage('judge')
    const { judge } = models.describe()
    const price = priceOf(judge)
    const { scorer, id, use, version: scorerVersion, options } = record
    const label = request.columns?.label
    return {
      ...{ format: 1, gembench: version(), judge },
      ...{ scorer: { scorer, id, use, version: scorerVersion, options }, metric: judged.metric },
      labels: {
        ...{ file: basename(request.labels), sha256: await fileChecksum(request.labels) },
        ...(label !== undefined && { column: label }),
        kind: labelled.kind,
        ...(by.length > 0 && { by }),
      },
      items: { labelled: labelled.items.length, blank, drawn: drawn<unknown>(labelled.items).length },
      ...{ ...found, seed: plan.seed, usage },
      ...(price && { usd: dollars(usage, price) }),
    }
  } finally {
    await close()
  }
}

async function measured(
  labelled: Labelled,
  drawn: <T>(items: readonly T[]) => readonly T[],
  asking: Asking,
  threshold: number | undefined,
): Promise<Pick<JudgeBench, 'judged' | 'clusters' | 'failed' | 'skipped' | 'firstFailure' | 'threshold' | 'measures'>> {
  const countsOf = (verdicts: readonly BenchedAnswer[]) => ({
    judged: verdicts.length,
    clusters: new Set(verdicts.map(({ cluster }) => cluster)).size,
  })
  if (labelled.kind === 'pairs') {
    const { verdicts, ...without } = await judgePairs(drawn(labelled.items), asking)
    return { ...countsOf(verdicts), ...without, measures: pairMeasures(verdicts) }
  }
  const { verdicts, ...without } =
    labelled.kind === 'answers'
      ? await judgeAnswers(drawn(labelled.items), asking)
      : await judgeClaims(drawn(labelled.items), asking)
  const least = threshold ?? (verdicts.every(({ human }) => human === 0 || human === 1) ? correctThreshold : undefined)
  return {
    ...{ ...countsOf(verdicts), ...without },
    ...(least !== undefined && { threshold: least }),
    measures: answerMeasures(verdicts, least),
  }
}

/** `pairwise` compares on the one criterion that is measured: the others would be paid for nothing. */
function onOneCriterion(entry: ScorerEntry, metric: string): ScorerEntry {
  if (entry.use !== 'pairwise') return entry
  const { criteria } = pairwise.options.parse(entry.options)
  const own = criteria.filter((one) => (typeof one === 'string' ? one : one.name) === metric)
  return { ...entry, options: pairwise.options.parse({ criteria: own }) }
}

/** Throws UserError where a scorer cannot judge what the file holds, or labels lie outside its range. */
function refuseUnfit(
  { label, scorer, options, use }: ScorerEntry,
  { scorer: record, metric, range: [least, greatest] }: JudgedMetric,
  { kind, items }: Labelled,
  { labels: file, threshold }: BenchRequest,
): void {
  const refuse = (why: string): never => {
    throw new UserError(`the scorer "${label}" cannot be compared with ${file}: ${why}`)
  }
  const { opponents, outcome } = scorer.needs?.(options) ?? {}
  if (!scorer.kinds.includes('answer')) refuse(`it scores questions of the kind ${scorer.kinds.join(', ')}`)
  if (outcome) refuse('it needs what became of the trials of a run')
  if (kind === 'claims') {
    if (!scorer.tasks?.some(({ name }) => name === 'verify-claims'))
      refuse('the file labels claims, and the scorer checks none; name one that does, such as faithfulness')
    return
  }
  if (items.length > 0 && readsContext.has(use) && (kind === 'pairs' || items.every(({ context }) => !context)))
    refuse('it compares with passages, which the file does not hold')
  if (kind === 'pairs') {
    if (threshold !== undefined) refuse('a threshold is for labels of single answers, and these are of pairs')
    const column = record.columns.find((one) => one.metric === metric)
    const why = whyNoDirection(record, metric)
    if (!column || why !== undefined) refuse(`${metric}: ${why ?? 'no column shows it'}`)
    if (opponents && column?.shown === false) refuse(`${metric} is no criterion that answers are compared on`)
    return
  }
  if (opponents) refuse('it compares two answers, and the file labels single ones')
  const outside = items.find((one) => one.label < least || one.label > greatest)
  if (outside)
    refuse(`${outside.where}: the label ${outside.label} is outside ${least} to ${greatest}, the range of ${metric}`)
}

/** As many items as are wanted, drawn at random, in the order of the file. */
function drawnOf<T>(items: readonly T[], size: number | undefined, seed: number): readonly T[] {
  if (size === undefined || size >= items.length) return items
  const keys = items.map((_, place) => ({ place, key: hashOf(['judge bench', seed, place]) }))
  const drawn = new Set(
    keys
      .sort((a, b) => (a.key < b.key ? -1 : 1))
      .slice(0, size)
      .map(({ place }) => place),
  )
  return items.filter((_, place) => drawn.has(place))
}
