import { UserError } from '../../errors.ts'
import { rounding } from '../../math/statistics/descriptive.ts'
import type { MethodRecord } from '../../records.ts'
import { anyMetricNamed, nearest } from '../../text/names.ts'
import { chooseMetric, readRun } from '../diff/read-run.ts'
import type { DiffSide } from '../diff/pair-rows.ts'
type Run = Pick<DiffSide, 'name' | 'manifest' | 'trials' | 'scores'>

/**
 * The id of the question that a person means: its id, else its words, else a part of the words of one question alone. Throws UserError with
 * the nearest id, or with the ids of the questions that hold the part.
 */
export async function questionMeant(given: string, { name, trials }: Run): Promise<string> {
  const texts = new Map<string, string>()
  for await (const line of trials()) if (line.line === 'trial') texts.set(line.question.id, line.question.text)
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
export interface DifferentQuestions {
  readonly metric: string
  readonly ids: readonly string[]
}

/** The questions that rows made different things of, by a metric, whether or not more of it is better: the first of the table where none is named. Throws UserError as `chooseMetric` does. */
export async function differentQuestions(
  run: Run,
  rows: readonly MethodRecord[],
  name: string | undefined,
): Promise<DifferentQuestions> {
  if (rows.length < 2) throw new UserError('--different needs at least two rows to compare')
  const read = await readRun(run, rows)
  const chosen = chooseMetric(name, run.manifest.scorers, read.cells, anyMetricNamed)
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
