import { stringify } from 'csv-stringify/sync'
import { labelColumns } from '../../basics/files.ts'
import type { Manifest, ScorerRecord, TrialLine } from '../../records.ts'
import { hashOf } from '../../text/hash.ts'
import type { Journals } from '../gather/trials.ts'
import { rightAnswers } from '../show/messages.ts'
import { answerId, judgedMetric, judgedRows } from './judged-rows.ts'

interface SampleSettings {
  readonly size: number
  readonly seed: number
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
 * is a random sample.
 */
export async function drawSample(
  manifest: Manifest,
  journals: Pick<Journals, 'trials' | 'scores'>,
  scorer: ScorerRecord,
  { size, seed, context }: SampleSettings,
) {
  const rows = await judgedRows(manifest, journals.scores(), judgedMetric(scorer))
  const rowsById = new Map(rows.map((row) => [row.method.id, row]))
  const questionIds = [...new Set(rows.flatMap(({ questions }) => [...questions.keys()]))]
  const sample = questionIds
    .map((id) => ({ id, key: hashOf(['judge sample', seed, id]) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .slice(0, size)
  // by question, then by text
  const answersByQuestion = new Map(sample.map(({ id }) => [id, new Map<string, SampledAnswer>()]))
  for await (const line of journals.trials()) {
    if (line.line !== 'trial' || !line.answer) continue
    const answers = answersByQuestion.get(line.question.id)
    const [firstRepeat] = rowsById.get(line.methodId)?.questions.get(line.question.id)?.repeats.keys() ?? []
    if (!answers || firstRepeat !== line.repeat) continue
    const texts = textsOf(line, context)
    const key = JSON.stringify(texts)
    answers.set(key, { ...texts, ids: [...(answers.get(key)?.ids ?? []), answerId(manifest, line)] })
  }
  const answers = [...answersByQuestion.values()].flatMap((byText) =>
    [...byText.values()]
      .map((answer) => ({ ...answer, ids: [...new Set(answer.ids)].sort() }))
      .sort((a, b) => (a.ids.join() < b.ids.join() ? -1 : 1)),
  )
  // sampled questions, of all that have a score
  return { answers, questions: sample.length, of: questionIds.length, rows: rows.length }
}

/** The question has its earlier turns and the options of a choice. */
function textsOf({ question, answer, context }: TrialLine, withContext: boolean): Omit<SampledAnswer, 'ids'> {
  const { text, history = [], reference } = question
  const turns = history.map((turn) => `${turn.speaker}: ${turn.text}`)
  const options = reference.kind === 'choice' ? reference.options.map((option, i) => `${i + 1}. ${option}`) : []
  return {
    question: [...turns, text, ...options].join('\n'),
    answer: answer?.text ?? '',
    reference: rightAnswers(reference).join('\n'),
    ...(withContext && { context: context.map((passage) => passage.text).join('\n\n') }),
  }
}

/** CSV with an empty `verdict` column; escapes formulas, and a byte order mark makes Excel read UTF-8. */
export function labelsCsv(scorer: string, answers: readonly SampledAnswer[]): string {
  const withContext = answers.some(({ context }) => context !== undefined)
  const lines = answers.map(({ ids, ...texts }) => ({ id: ids.join(' '), scorer, ...texts, verdict: '' }))
  return stringify(lines, { header: true, columns: [...labelColumns(withContext)], escape_formulas: true, bom: true })
}
