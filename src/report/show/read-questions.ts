import { groupBy } from '../../basics/collections.ts'
import { memoise } from '../../basics/memoise.ts'
import { UserError } from '../../errors.ts'
import { rounding } from '../../math/statistics/descriptive.ts'
import type { MethodRecord, ScoreLine, TrialLine } from '../../records.ts'
import { rowName, findAnyMetric, nearest } from '../../text/names.ts'
import type { Question } from '../../types.ts'
import { chooseMetric } from '../compare/rows-to-compare.ts'
import { type DiffSide, readRun } from '../gather/outcomes.ts'

/** A question with the trials of every row. */
export interface ShownQuestion {
  readonly question: Question
  readonly rows: readonly ShownRow[]
}

interface ShownRow {
  readonly row: string
  readonly trials: readonly ShownTrial[]
}

const trialFields = [
  ...(['corpus', 'repeat', 'context', 'stopped', 'asked', 'beyond'] as const),
  ...(['answer', 'failure', 'usage'] as const),
]

const scoreFields = ['scorer', 'run', 'metrics', 'parts', 'skipped', 'failure'] as const

/** Has exactly one of `answer` and `failure`. Scores are ordered by scorer and judge run. */
export interface ShownTrial extends Pick<TrialLine, (typeof trialFields)[number]> {
  readonly scores: readonly ShownScore[]
}

/** Has exactly one of `metrics`, `skipped` (a reason) and `failure`. */
export type ShownScore = Pick<ScoreLine, (typeof scoreFields)[number]>

/** The questions in the order of `ids`. Reads trials and scores once; `contexts` keeps passages. */
export async function readQuestions(
  { manifest, trials, scores }: Pick<DiffSide, 'manifest' | 'trials' | 'scores'>,
  rows: readonly MethodRecord[],
  ids: readonly string[],
  contexts = true,
): Promise<readonly ShownQuestion[]> {
  const questionIds = new Set(ids)
  const methodIds = new Set(rows.map(({ id }) => id))
  const lines = new Map<string, TrialLine>()
  for await (const line of trials())
    // a later line replaces a failed one
    if (line.line === 'trial' && methodIds.has(line.methodId) && questionIds.has(line.question.id))
      lines.set(line.id, contexts ? line : { ...line, context: [] })
  const order = manifest.scorers.map(({ id }) => id)
  const scoresByTrial = memoise((_trial: string) => new Map<string, ScoreLine>())
  for await (const line of scores())
    if (lines.has(line.trial) && order.includes(line.scorerId))
      scoresByTrial(line.trial).set(`${line.scorerId} ${line.run}`, line)
  const shownTrial = (line: TrialLine) => {
    const trialScores = [...scoresByTrial(line.id).values()].sort(
      (a, b) => order.indexOf(a.scorerId) - order.indexOf(b.scorerId) || a.run - b.run,
    )
    return { ...pick(line, trialFields), scores: trialScores.map((score) => pick(score, scoreFields)) }
  }
  const byQuestion = groupBy(lines.values(), ({ question }) => question.id)
  return ids.flatMap((id): ShownQuestion[] => {
    const [first, ...rest] = byQuestion.get(id) ?? []
    if (!first) return []
    const trials = [first, ...rest].toSorted((a, b) => a.repeat - b.repeat)
    const ofRow = (row: MethodRecord) => trials.filter(({ methodId }) => methodId === row.id).map(shownTrial)
    return [{ question: first.question, rows: rows.map((row) => ({ row: rowName(row), trials: ofRow(row) })) }]
  })
}

/** The fields that the record has. */
function pick<T extends object, K extends keyof T>(record: T, fields: readonly K[]): Pick<T, K> {
  const entries = fields.filter((field) => record[field] != null).map((field) => [field, record[field]])
  return Object.fromEntries(entries) as Pick<T, K>
}

type Run = Pick<DiffSide, 'name' | 'manifest' | 'trials' | 'scores'>

/** Throws UserError with similar ids if no question has this one. */
export async function requireQuestion(id: string, { name, trials }: Run): Promise<void> {
  const texts = await questionTexts({ trials })
  if (texts.has(id)) return
  const ids = [...texts.keys()]
  const near = nearest(id, ids)
  const advice = near === undefined ? '' : `; did you mean "${near}"?`
  const first = ids.slice(0, 5).join(', ')
  const more = ids.length > 5 ? `, … (${ids.length} in all)` : ''
  throw new UserError(`${name}: no question has the id "${id}"${advice} (ids: ${first}${more})`)
}

/** Question texts by id, in the order of the trials. */
export async function questionTexts({ trials }: Pick<Run, 'trials'>): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>()
  for await (const line of trials()) {
    if (line.line === 'trial') texts.set(line.question.id, line.question.text)
  }
  return texts
}

/** Ids of questions with a failed trial or score, in the order of the trials. */
export async function failedQuestions(run: Run, rows: readonly MethodRecord[]): Promise<readonly string[]> {
  const read = await readRun(run, rows)
  const outcomes = rows.flatMap((row) =>
    run.manifest.scorers.map(({ scorer, columns }) =>
      read.outcomesOf(row, { scorer, metric: columns[0]?.metric ?? '' }),
    ),
  )
  const hasFailure = (id: string) => outcomes.some((scores) => scores.get(id)?.failed ?? false)
  return [...read.questions.keys()].filter(hasFailure)
}

/**
 * Questions whose scores differ by more than 1e-9, or that only some rows have a score for. Throws UserError as
 * `chooseMetric` does.
 */
export async function differentQuestions(
  run: Run,
  rows: readonly MethodRecord[],
  name: string | undefined,
): Promise<{ readonly metric: string; readonly ids: readonly string[] }> {
  if (rows.length < 2) throw new UserError('--different needs at least two rows to compare')
  const read = await readRun(run, rows)
  const metric = chooseMetric(name, run.manifest.scorers, read.cells, findAnyMetric)
  const outcomes = rows.map((row) => read.outcomesOf(row, metric))
  const ids = [...read.questions.keys()].filter((id) => {
    const scores = outcomes.flatMap((byId) => (byId.has(id) ? [byId.get(id)?.score ?? null] : []))
    const numbers = scores.filter((score) => score !== null)
    if (numbers.length === 0) return false
    const hasGap = numbers.length < scores.length
    const range = Math.max(...numbers) - Math.min(...numbers)
    return hasGap || range > rounding
  })
  return { metric: `${metric.scorer}.${metric.metric}`, ids }
}
