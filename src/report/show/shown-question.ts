import { groupBy, valueOf } from '../../basics/collections.ts'
import { memoise } from '../../basics/memoise.ts'
import { UserError } from '../../errors.ts'
import { rounding } from '../../math/statistics/descriptive.ts'
import type { MethodRecord, ScoreLine, TrialLine } from '../../records.ts'
import { rowName, findAnyMetric, nearest } from '../../text/names.ts'
import type { Question } from '../../types.ts'
import { type DiffSide, chooseMetric, readRun } from '../diff/read-run.ts'

/** A question with all that the rows of a run made of it. */
export interface ShownQuestion {
  readonly question: Question
  readonly rows: readonly ShownRow[]
}

interface ShownRow {
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

/** The questions of those ids, in that order. Reads trials and scores once; keeps contexts where asked. */
export async function shownQuestions(
  { manifest, trials, scores }: Pick<DiffSide, 'manifest' | 'trials' | 'scores'>,
  rows: readonly MethodRecord[],
  ids: readonly string[],
  contexts = true,
): Promise<readonly ShownQuestion[]> {
  const wanted = new Set(ids)
  const known = new Set(rows.map(({ id }) => id))
  const found = new Map<string, TrialLine>()
  for await (const line of trials())
    // a later line has made a failure good
    if (line.line === 'trial' && known.has(line.methodId) && wanted.has(line.question.id))
      found.set(line.id, contexts ? line : { ...line, context: [] })
  const order = new Map(manifest.scorers.map(({ id }, index) => [id, index]))
  const scored = memoise((_trial: string) => new Map<string, ScoreLine>())
  for await (const line of scores())
    if (found.has(line.trial) && order.has(line.scorerId)) scored(line.trial).set(`${line.scorerId} ${line.run}`, line)
  const scoresOf = (trial: string): readonly ShownScore[] =>
    [...scored(trial).values()]
      .sort((a, b) => valueOf(order, a.scorerId) - valueOf(order, b.scorerId) || a.run - b.run)
      .map(scoreOf)
  const byQuestion = groupBy(found.values(), ({ question }) => question.id)
  return ids.flatMap((id): ShownQuestion[] => {
    const own = byQuestion.get(id) ?? []
    const trialsOf = (row: MethodRecord): readonly ShownTrial[] =>
      own
        .filter(({ methodId }) => methodId === row.id)
        .sort((a, b) => a.repeat - b.repeat)
        .map((line) => trialOf(line, scoresOf(line.id)))
    const shown = rows.map((row) => ({ row: rowName(row), trials: trialsOf(row) }))
    return own[0] ? [{ question: own[0].question, rows: shown }] : []
  })
}

const trialOf = (
  { corpus, repeat, context, stopped, asked, beyond, answer, failure, usage }: TrialLine,
  scores: readonly ShownScore[],
): ShownTrial => ({
  corpus,
  repeat,
  context,
  stopped,
  ...(asked !== undefined && { asked }),
  ...(beyond && { beyond }),
  ...(answer && { answer }),
  ...(failure && { failure }),
  scores,
  usage,
})

const scoreOf = ({ scorer, run, metrics, parts, skipped, failure }: ScoreLine): ShownScore => ({
  scorer,
  run,
  ...(metrics && { metrics }),
  ...(parts && { parts }),
  ...(skipped !== undefined && { skipped }),
  ...(failure && { failure }),
})

type Run = Pick<DiffSide, 'name' | 'manifest' | 'trials' | 'scores'>

/** The id of the question that a person means by id, words or a part of them. Throws UserError with near ids. */
export async function questionMeant(given: string, { name, trials }: Run): Promise<string> {
  const texts = await questionTexts({ trials })
  if (texts.has(given)) return given
  const [wanted, plain] = [oneLine(given), [...texts].map(([id, text]) => [id, oneLine(text)] as const)]
  const same = plain.filter(([, text]) => text === wanted)
  const found = same.length > 0 ? same : plain.filter(([, text]) => wanted !== '' && text.includes(wanted))
  const [one, other] = found
  if (one && !other) return one[0]
  if (one)
    throw new UserError(
      `${name}: ${found.length} questions hold these words; name one by its id: ${listed(found.map(([id]) => id))}`,
    )
  const near = nearest(given, texts.keys())
  throw new UserError(
    `${name}: no question has the id or the words "${given}"${near === undefined ? '' : `; did you mean "${near}"?`} (ids: ${listed([...texts.keys()])})`,
  )
}

/** The text of every question of a run by its id, in the order of the trials. */
export async function questionTexts({ trials }: Pick<Run, 'trials'>): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>()
  for await (const line of trials()) if (line.line === 'trial') texts.set(line.question.id, line.question.text)
  return texts
}

/** Ids of the questions of which a trial or a score of one of the rows failed, in the order of the trials. */
export async function failedQuestions(run: Run, rows: readonly MethodRecord[]): Promise<readonly string[]> {
  const read = await readRun(run, rows)
  const outcomes = rows.flatMap((row) =>
    run.manifest.scorers.map(({ scorer, columns }) =>
      read.outcomesOf(row, { scorer, metric: columns[0]?.metric ?? '' }),
    ),
  )
  return [...read.questions.keys()].filter((id) => outcomes.some((one) => one.get(id)?.failed ?? false))
}

/** Questions that the rows score differently by more than 1e-9, or only some rows have a score for, and the metric. */
interface DifferentQuestions {
  readonly metric: string
  readonly ids: readonly string[]
}

/** The questions that rows made different things of, by a metric. Throws UserError as `chooseMetric` does. */
export async function differentQuestions(
  run: Run,
  rows: readonly MethodRecord[],
  name: string | undefined,
): Promise<DifferentQuestions> {
  if (rows.length < 2) throw new UserError('--different needs at least two rows to compare')
  const read = await readRun(run, rows)
  const chosen = chooseMetric(name, run.manifest.scorers, read.cells, findAnyMetric)
  const outcomes = rows.map((row) => read.outcomesOf(row, chosen))
  const ids = [...read.questions.keys()].filter((id) => {
    const scores = outcomes.flatMap((one) => (one.has(id) ? [one.get(id)?.score ?? null] : []))
    const numbers = scores.filter((score) => score !== null)
    return (
      numbers.length > 0 && (numbers.length < scores.length || Math.max(...numbers) - Math.min(...numbers) > rounding)
    )
  })
  return { metric: `${chosen.scorer}.${chosen.metric}`, ids }
}

const oneLine = (text: string): string => text.trim().replace(/\s+/g, ' ').toLowerCase()

const listed = (ids: readonly string[]): string =>
  `${ids.slice(0, 5).join(', ')}${ids.length > 5 ? `, … (${ids.length} in all)` : ''}`
