import { stringify } from 'csv-stringify/sync'
import { labelColumns } from '../../basics/files.ts'
import { UserError } from '../../errors.ts'
import type { Manifest, ScorerRecord, TrialLine } from '../../records.ts'
import { hashOf } from '../../text/hash.ts'
import { unknownName } from '../../text/names.ts'
import type { Question, Reference } from '../../types.ts'
import type { Journals } from '../gather/trials.ts'
import { answerId, judgedRows, type JudgedRow, judgedMetric } from './judged-rows.ts'

interface SampleSettings {
  readonly size: number
  readonly seed: number
  /** Method labels; default: all rows. */
  readonly methods?: readonly string[]
  /** Whether to include the passages. */
  readonly context: boolean
}

/** An answer for human labelling. `ids`: the answers of all rows with the same text and passages. */
export interface SampledAnswer {
  readonly ids: readonly string[]
  readonly question: string
  readonly answer: string
  readonly reference: string
  readonly context?: string
}

/**
 * Samples questions at random, with the first judged answer of each row. Random order hides the rows, and each prefix
 * is a random sample. Throws UserError for an unknown method.
 */
export async function drawSample(
  manifest: Manifest,
  journals: Pick<Journals, 'trials' | 'scores'>,
  scorer: ScorerRecord,
  { size, seed, methods, context }: SampleSettings,
) {
  const all = await judgedRows(manifest, journals.scores(), judgedMetric(scorer))
  const rows = methods ? namedRows(all, methods) : all
  const questionIds = [...new Set(rows.flatMap(({ questions }) => [...questions.keys()]))]
  const sample = questionIds
    .map((id) => ({ id, key: hashOf(['judge sample', seed, id]) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .slice(0, size)
  const answersByQuestion = new Map(sample.map(({ id }) => [id, new Map<string, SampledAnswer>()]))
  const byId = new Map(rows.map((row) => [row.method.id, row]))
  for await (const line of journals.trials()) {
    if (line.line !== 'trial' || !line.answer) continue
    const answers = answersByQuestion.get(line.question.id)
    const judgedAnswers = byId.get(line.methodId)?.questions.get(line.question.id)
    if (!answers || judgedAnswers?.repeats[0]?.repeat !== line.repeat) continue
    const texts = shownOf(line, context)
    const key = JSON.stringify(texts)
    answers.set(key, { ...texts, ids: [...(answers.get(key)?.ids ?? []), answerId(manifest, line)] })
  }
  const answers = [...answersByQuestion.values()].flatMap((ofQuestion) =>
    [...ofQuestion.values()]
      .map((answer) => ({ ...answer, ids: [...new Set(answer.ids)].sort() }))
      .sort((a, b) => ((a.ids[0] ?? '') < (b.ids[0] ?? '') ? -1 : 1)),
  )
  // sampled questions, of all that have a score
  return { answers, questions: sample.length, of: questionIds.length, rows: rows.length }
}

function namedRows(rows: readonly JudgedRow[], labels: readonly string[]): readonly JudgedRow[] {
  const names = [...new Set(rows.map(({ method }) => method.method))]
  const wrong = labels.find((label) => !names.includes(label))
  if (wrong !== undefined) throw new UserError(unknownName('method', wrong, names))
  return rows.filter(({ method }) => labels.includes(method.method))
}

const shownOf = (trial: TrialLine, context: boolean): Omit<SampledAnswer, 'ids'> => ({
  question: questionText(trial.question),
  answer: trial.answer?.text ?? '',
  reference: acceptedText(trial.question.reference),
  ...(context && { context: contextText(trial) }),
})

/** With earlier turns and the options of a choice. */
function questionText({ text, history = [], reference }: Question): string {
  const turns = history.map((turn) => `${turn.speaker}: ${turn.text}`)
  const options = reference.kind === 'choice' ? reference.options.map((option, i) => `(${i + 1}) ${option}`) : []
  return [...turns, text, ...options].join('\n')
}

function acceptedText(reference: Reference): string {
  switch (reference.kind) {
    case 'choice':
      return `(${reference.correct + 1}) ${reference.options[reference.correct] ?? ''}`
    case 'answer':
      return [...new Set(reference.accepted.map(({ text }) => text))].join('\n')
    case 'summary':
      return reference.accepted.join('\n')
    case 'turn':
      return reference.accepted
  }
}

const contextText = ({ context }: Pick<TrialLine, 'context'>): string => context.map(({ text }) => text).join('\n\n')

/** CSV with an empty `verdict` column; escapes formulas, and a byte order mark makes Excel read UTF-8. */
export function labelsCsv(scorer: string, answers: readonly SampledAnswer[]): string {
  const withContext = answers.some(({ context }) => context !== undefined)
  const lines = answers.map(({ ids, ...texts }) => ({ id: ids.join(' '), scorer, ...texts, verdict: '' }))
  return stringify(lines, { header: true, columns: [...labelColumns(withContext)], escape_formulas: true, bom: true })
}

/** Cells over Excel's limit. */
export const tooLongForExcel = (answers: readonly SampledAnswer[]): number =>
  answers.flatMap(({ ids: _ids, ...texts }) => Object.values(texts)).filter((text) => text.length > 32_767).length
