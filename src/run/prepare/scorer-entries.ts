import { deepFreeze } from '../../basics/plain-data.ts'
import { itemOf } from '../../basics/loading.ts'
import type { Plan, PlannedScorer } from '../../config/index.ts'
import type { OpenedModels } from '../../models/index.ts'
import { scorers } from '../../scorers/index.ts'
import { UserError } from '../../errors.ts'
import { hashOf } from '../../text/hash.ts'
import { findRow } from '../../text/names.ts'
import type { Dataset, Kind, Scorer } from '../../types.ts'
import type { PlugInObjects } from '../plug-ins/extract-objects.ts'
import { findPlugIn } from '../plug-ins/registries.ts'
import { modelIdentity, optionsByContent, plugInId } from './identity.ts'
import type { DatasetStatistics } from './dataset-statistics.ts'
import type { Row, ScorerRecord } from '../../records.ts'

/** A scorer of the plan, with its record in the manifest. */
export type ScorerEntry = Awaited<ReturnType<typeof scorerEntriesOf>>[number]

/** What the default scorers depend on. */
type QuestionCounts = Pick<
  DatasetStatistics,
  'kinds' | 'questions' | 'withoutReference' | 'withoutEvidence' | 'withAssertions'
>

/**
 * The scorers of a plan, of the dataset, or every one that
 * fits a question, asks no model and does not wait to be
 * named. `forAnswers`: the only one that rates free answers.
 */
export async function plannedScorers(
  { scorers: plan, answers }: Pick<Plan, 'scorers' | 'answers'>,
  { scorers: usual }: Pick<Dataset, 'scorers'>,
  { kinds, questions, withoutReference, withoutEvidence, withAssertions }: QuestionCounts,
  forAnswers?: 'contains' | 'correct',
): Promise<readonly PlannedScorer[]> {
  if (plan) return plan
  if (usual)
    return Promise.all(
      usual.map(async ({ use, options }) => {
        const scorer = await itemOf(scorers, use)
        return { use, label: use, options: scorer.options.parse(options), record: options }
      }),
    )
  const isContextAlone =
    answers === 'none' || (withoutReference === questions && (withoutEvidence < questions || withAssertions > 0))
  const all = await scorers.all()
  const isFitting = (scorer: Scorer) =>
    !scorer.judge &&
    !(isContextAlone && scorer.readsAnswer !== false) &&
    scorer.kinds.some((kind) => kinds.has(kind) && !waits(scorer, kind))
  const ratesAnswers = ({ kinds, rates }: Scorer) => rates !== undefined && kinds.join() === 'answer'
  const fitting = all.filter((scorer) =>
    scorer.name === 'must-contain'
      ? withAssertions > 0 && answers !== 'none'
      : forAnswers !== undefined && !isContextAlone && kinds.has('answer') && ratesAnswers(scorer)
        ? scorer.name === forAnswers
        : isFitting(scorer),
  )
  return fitting.map(({ name, options: schema }) => {
    const options = schema.parse({})
    return { use: name, label: name, options, record: {} }
  })
}

/** Free answers that are right by meaning need a judge, or, without a language model, a match of words. */
export function scorerForAnswers({ right }: Dataset, models: OpenedModels): 'contains' | 'correct' | undefined {
  if (right !== 'meaning') return undefined
  return models.offline().includes(models.identify().judge.provider) ? 'contains' : 'correct'
}

const waits = ({ onRequest = [] }: Scorer, kind: Kind) => onRequest === true || onRequest.includes(kind)

/** Scorers with their identities, which change with the judge and the language of the questions. */
export function scorerEntriesOf(
  plan: readonly PlannedScorer[],
  models: OpenedModels,
  language: string | undefined,
  objects?: PlugInObjects,
) {
  const { embed, judge } = models.identify()
  const usedModels = {
    embedder: `${embed.provider} ${embed.model} ${hashOf(modelIdentity(embed)).slice(0, 12)}`,
    isJudgeOffline: models.offline().includes(judge.provider),
  }
  return Promise.all(
    plan.map(async (scorerPlan) => {
      const { label, file, object } = scorerPlan
      const { item: scorer, digest } = await findPlugIn('scorer', scorerPlan, objects)
      const { name, version, kinds, ranges, summary } = scorer
      const languageOptions = language && scorer.forLanguage?.(scorerPlan.options, language)
      const options = deepFreeze(languageOptions ?? scorerPlan.options)
      const content = await optionsByContent(scorer, options)
      const identity = scorer.judge ? modelIdentity(judge) : null
      const source = digest === undefined ? [] : [digest]
      const id = await plugInId([name, version, content, identity, ...source], file)
      const note = scorer.note?.(options, usedModels)
      const record: ScorerRecord = {
        scorer: label,
        id,
        use: object ?? file ?? scorerPlan.use,
        version,
        options: scorerPlan.record,
        kinds,
        judge: scorer.judge ?? false,
        ...(scorer.needs?.(options).outcome && { failures: true }),
        ...(ranges && { ranges }),
        summary,
        ...(note !== undefined && { note }),
        columns: typeof scorer.columns === 'function' ? scorer.columns(options) : scorer.columns,
      }
      /** A plug-in of a file or of the program, whose calls are guarded. */
      const isExternal = file !== undefined || object !== undefined
      return { label, id, isExternal, scorer, options, record }
    }),
  )
}

/** Throws UserError where a scorer names a row that is not there as an opponent: a line each. */
export function refuseUnknownOpponents(scorers: readonly ScorerEntry[], rows: readonly Row[]) {
  const lines = scorers.flatMap(({ label, scorer, options }) => {
    const { opponents = [] } = scorer.needs?.(options) ?? {}
    const matches = opponents === 'all' ? [] : opponents.map((name) => findRow(name, rows))
    return matches.flatMap((row) => (typeof row === 'string' ? [`the scorer "${label}": ${row}`] : []))
  })
  if (lines.length > 0) throw new UserError(lines.join('\n'))
}
