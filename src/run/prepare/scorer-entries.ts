import { deepFreeze } from '../../basics/plain-data.ts'
import { itemOf } from '../../basics/loading.ts'
import type { Plan, PlannedScorer } from '../../config/index.ts'
import type { OpenedModels } from '../../models/index.ts'
import { scorers } from '../../scorers/index.ts'
import { UserError } from '../../errors.ts'
import { hashOf } from '../../text/hash.ts'
import { findRow } from '../../text/names.ts'
import type { Dataset, Kind, Scorer } from '../../types.ts'
import { objectOf, type PlugInObjects } from '../plug-ins/extract-objects.ts'
import { loadPlugIn } from '../plug-ins/import-plug-in.ts'
import { modelIdentity, optionsByContent, plugInId } from './identity.ts'
import type { DatasetStatistics } from './dataset-statistics.ts'
import type { Row, ScorerRecord } from '../../records.ts'

/** A scorer of the plan: its label, identity and options. */
export interface ScorerEntry {
  readonly label: string
  readonly id: string
  readonly use: string
  /** The absolute path of a plug-in's file; absent for a built-in scorer. */
  readonly file?: string
  /** Of an object of the program: it is called as one in a file. */
  readonly isExternal?: true
  readonly scorer: Scorer
  readonly options: unknown
  /** How its numbers are made, below a table. */
  readonly note?: string
  /** The options as they may be written to disk. */
  readonly record: unknown
}

/**
 * The scorers of a plan, or, where it names none, those of the dataset, or every one that fits a question, asks no
 * model and does not wait to be named; of questions without right answers and with evidence, or without answers, those
 * that read no answer. `forAnswers`: the only one that rates free answers.
 */
export async function plannedScorers(
  { scorers: plan, answers }: Pick<Plan, 'scorers' | 'answers'>,
  { scorers: usual }: Pick<Dataset, 'scorers'>,
  { kinds, questions, withoutReference, withoutEvidence, withAssertions }: QuestionStatistics,
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
  const isFitting = (scorer: Scorer): boolean =>
    !scorer.judge &&
    !(isContextAlone && scorer.readsAnswer !== false) &&
    scorer.kinds.some((kind) => kinds.has(kind) && !waits(scorer, kind))
  const ratesAnswers = ({ kinds, rates }: Scorer): boolean => rates !== undefined && kinds.join() === 'answer'
  const fitting = all.filter((scorer) =>
    scorer.name === 'must-contain'
      ? withAssertions > 0 && answers !== 'none'
      : forAnswers !== undefined && !isContextAlone && kinds.has('answer') && ratesAnswers(scorer)
        ? scorer.name === forAnswers
        : isFitting(scorer),
  )
  return fitting.map(({ name, options }) => ({ use: name, label: name, options: options.parse({}), record: {} }))
}

interface QuestionStatistics extends Pick<
  DatasetStatistics,
  'questions' | 'withoutReference' | 'withoutEvidence' | 'withAssertions'
> {
  readonly kinds: Pick<DatasetStatistics['kinds'], 'has'>
}

/** Free answers that are right by meaning need a judge, or, without a language model, a match of words. */
export function scorerForAnswers(
  { right }: Pick<Dataset, 'right'>,
  models: Pick<OpenedModels, 'identify' | 'offline'>,
): 'contains' | 'correct' | undefined {
  if (right !== 'meaning') return undefined
  return models.offline().includes(models.identify().judge.provider) ? 'contains' : 'correct'
}

const waits = ({ onRequest = [] }: Scorer, kind: Kind): boolean => onRequest === true || onRequest.includes(kind)

/** Scorers with their identities, which change with the judge's model, and with the language of the questions. */
export function scorerEntriesOf(
  plan: readonly PlannedScorer[],
  models: OpenedModels,
  language: string | undefined,
  objects?: PlugInObjects,
): Promise<readonly ScorerEntry[]> {
  return Promise.all(
    plan.map(async ({ label, use, options: rawOptions, record, file, object: name }) => {
      const object = name === undefined ? undefined : objectOf(objects?.scorers, name)
      const scorer =
        object?.item ?? (file === undefined ? await itemOf(scorers, use) : await loadPlugIn('scorer', file))
      const options = language === undefined ? rawOptions : (scorer.forLanguage?.(rawOptions, language) ?? rawOptions)
      const judge = scorer.judge ? modelIdentity(models.identify().judge) : null
      const content = await optionsByContent(scorer, options)
      const id = await plugInId([scorer.name, scorer.version, content, judge, ...(object ? [object.digest] : [])], file)
      const source =
        name !== undefined
          ? { use: name, isExternal: true as const }
          : file === undefined
            ? { use }
            : { use: file, file }
      const { embed } = models.identify()
      const embedder = `${embed.provider} ${embed.model} ${hashOf(modelIdentity(embed)).slice(0, 12)}`
      const note = scorer.note?.(options, {
        embedder,
        isJudgeOffline: models.offline().includes(models.identify().judge.provider),
      })
      return { label, id, ...source, scorer, options: deepFreeze(options), record, ...(note !== undefined && { note }) }
    }),
  )
}

export const scorerRecords = (scorers: readonly ScorerEntry[]): readonly ScorerRecord[] =>
  scorers.map(({ label, id, use, scorer, options, record, note }) => ({
    scorer: label,
    id,
    use,
    version: scorer.version,
    options: record,
    kinds: scorer.kinds,
    judge: scorer.judge ?? false,
    ...(scorer.needs?.(options).outcome && { failures: true as const }),
    ...(scorer.ranges && { ranges: scorer.ranges }),
    ...(scorer.ranks && { ranks: scorer.ranks }),
    summary: scorer.summary,
    ...(note !== undefined && { note }),
    columns: typeof scorer.columns === 'function' ? scorer.columns(options) : scorer.columns,
  }))

/** Throws UserError where a scorer names a row that is not there as an opponent: a line each. */
export function refuseUnknownOpponents(
  scorers: readonly Pick<ScorerEntry, 'label' | 'scorer' | 'options'>[],
  rows: readonly Pick<Row, 'method' | 'variant'>[],
): void {
  const lines = scorers.flatMap(({ label, scorer, options }) => {
    const { opponents = [] } = scorer.needs?.(options) ?? {}
    const matches = opponents === 'all' ? [] : opponents.map((name) => findRow(name, rows))
    return matches.flatMap((row) => (typeof row === 'string' ? [`the scorer "${label}": ${row}`] : []))
  })
  if (lines.length > 0) throw new UserError(lines.join('\n'))
}
