import { UserError } from '../../errors.ts'
import { mean } from '../../math/statistics/descriptive.ts'
import { clusteredPpiMean } from '../../math/statistics/ppi.ts'
import type { IndexLine, Manifest, TrialLine } from '../../records.ts'
import type { HumanMean } from '../table/estimate.ts'
import { answerId, type JudgedRow } from './judged-rows.ts'
import type { Labels } from './read-labels.ts'

/** What a person and the judge say of the same answer. */
export interface Verdicts {
  readonly human: number
  readonly judge: number
}

/** An answer of one or several rows with its verdicts; the judge's is the mean over the rows. */
export interface LabelledAnswer extends Verdicts {
  readonly question: string
  readonly cluster: string | number
}

export interface JoinedLabels {
  readonly answers: readonly LabelledAnswer[]
  /** By method id and id of the question. */
  readonly byRow: ReadonlyMap<string, ReadonlyMap<string, Verdicts>>
  /** Lines without a verdict, of answers that are not in the folder, and of answers without a score. */
  readonly blank: number
  readonly unknown: number
  readonly unscored: number
}

/** Finds the answers of the lines of a file. Throws UserError where none is of this results folder. */
export async function joinLabels(
  manifest: Manifest,
  trials: AsyncIterable<IndexLine | TrialLine>,
  rows: readonly JudgedRow[],
  { file, lines }: Labels,
): Promise<JoinedLabels> {
  const numbers = new Map(lines.flatMap(({ ids }, number) => ids.map((id) => [id, number] as const)))
  const judged = new Map(rows.map((row) => [row.method.id, row.questions]))
  const byRow = new Map(rows.map(({ method }) => [method.id, new Map<string, Verdicts>()]))
  const known = new Set<number>()
  const found = new Map<
    number,
    {
      readonly question: string
      readonly cluster: string | number
      readonly human: number
      readonly scores: readonly number[]
    }
  >()
  for await (const line of trials) {
    if (line.line !== 'trial' || !line.answer) continue
    const number = numbers.get(answerId(manifest, line))
    if (number === undefined) continue
    known.add(number)
    const question = line.question.id
    const answers = judged.get(line.methodId)?.get(question)
    const score = answers?.repeats.find(({ repeat }) => repeat === line.repeat)?.score
    const human = lines[number]?.verdict ?? null
    if (!answers || score === undefined || human === null) continue
    byRow.get(line.methodId)?.set(question, { human, judge: score })
    const before = found.get(number)?.scores ?? []
    found.set(number, { question, cluster: answers.cluster, human, scores: [...before, score] })
  }
  if (known.size === 0)
    throw new UserError(
      `${file}: none of its ids is of an answer of this results folder (${manifest.name}-${manifest.hash}); name the one that it was drawn from`,
    )
  return {
    answers: Array.from(found.values(), ({ scores, ...answer }) => ({ ...answer, judge: mean(scores) })),
    byRow,
    blank: lines.filter(({ verdict }) => verdict === null).length,
    unknown: lines.length - known.size,
    unscored: [...known].filter((number) => !found.has(number) && lines[number]?.verdict !== null).length,
  }
}

/** Fewest labelled questions: in simulations 95 % intervals of fewer hold the truth less often than they say. */
export const fewestQuestions = 20

/** The judge's score of a question, and both verdicts where a person judged an answer to it. */
export interface Unit {
  readonly cluster: string | number
  readonly judge: number
  readonly labelled?: Verdicts | undefined
}

/** The mean over units, of which the labelled ones are a random sample. */
export function humanMean(units: readonly Unit[]): HumanMean {
  const sample = units.flatMap(({ cluster, labelled }) => (labelled ? [{ cluster, ...labelled }] : []))
  const rest = units.filter(({ labelled }) => !labelled)
  const human = sample.map((one) => one.human)
  const labelled = { labelled: sample.length, human: sample.length === 0 ? null : mean(human) }
  if (sample.length < fewestQuestions) return { ...labelled, corrected: null }
  const judge = sample.map((one) => one.judge)
  const found = clusteredPpiMean(
    { human, judge, judgeOfRest: rest.map((one) => one.judge) },
    { ofSample: sample.map(({ cluster }) => cluster), ofRest: rest.map(({ cluster }) => cluster) },
  )
  const { lambda, estimate, error, degrees, low, high } = found
  const tells = varies(human) && varies(human.map((one, i) => one - (judge[i] ?? NaN))) && Number.isFinite(error)
  const interval = tells ? { error, degrees, low, high } : { error: null, degrees: null, low: null, high: null }
  return { ...labelled, corrected: { mean: estimate, ...interval, lambda } }
}

const varies = (values: readonly number[]): boolean =>
  values.some((value) => Math.abs(value - (values[0] ?? NaN)) > 1e-12)
