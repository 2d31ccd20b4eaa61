import { mean } from '../../../math/statistics/descriptive.ts'
import { evidenceF1 } from '../answers/token-f1.ts'
import { bestAnnotator, isText } from '../../qasper-f1.ts'
import { replayGolden } from '../../../test-support/golden.ts'

/** Qasper's evaluation of a whole file of papers. */
replayGolden({ 'qasper.evaluate': evaluate })

export interface Annotation {
  readonly unanswerable: boolean
  readonly extractive_spans: readonly string[]
  readonly free_form_answer: string
  readonly yes_no: boolean | null
  readonly evidence: readonly string[]
}

/** A file of papers with annotations, and predictions for its questions, in the form of Qasper's evaluator. */
export interface Qasper {
  readonly gold: Readonly<
    Record<
      string,
      {
        readonly qas: readonly {
          readonly question_id: string
          readonly answers: readonly { readonly answer: Annotation; readonly annotation_id?: string }[]
        }[]
      }
    >
  >
  readonly predictions: Readonly<Record<string, { readonly answer: string; readonly evidence: readonly string[] }>>
  readonly text_evidence_only?: boolean
}

const types = ['extractive', 'abstractive', 'boolean', 'none'] as const
type Type = (typeof types)[number]

function evaluate({ gold, predictions, text_evidence_only = false }: Qasper) {
  const questions = Object.values(gold).flatMap(({ qas }) => qas)
  const references = new Map(
    questions.map(({ question_id, answers }) => [
      question_id,
      answers.map(({ answer }) => referenceOf(answer, text_evidence_only)),
    ]),
  )
  const scores = Array.from(references, ([id, annotators]) => {
    const prediction = predictions[id]
    if (!prediction) return { answer: 0, evidence: 0, type: undefined }
    const golds = annotators.map(({ answer }) => answer)
    const best = bestAnnotator(prediction.answer, golds)
    return {
      answer: best.f1,
      evidence: Math.max(...annotators.map(({ evidence }) => evidenceF1(prediction.evidence, evidence))),
      type: annotators[best.index]?.type,
    }
  })
  const answerMean = (part: typeof scores) => meanOrZero(part.map(({ answer }) => answer))
  return {
    references: Object.fromEntries(references),
    'Answer F1': answerMean(scores),
    'Answer F1 by type': Object.fromEntries(
      types.map((type) => [type, answerMean(scores.filter((score) => score.type === type))]),
    ),
    'Evidence F1': meanOrZero(scores.map(({ evidence }) => evidence)),
    'Missing predictions': scores.filter(({ type }) => type === undefined).length,
  }
}

/** What an annotator takes for right; the first kind of answer that is filled in counts. */
function referenceOf(annotation: Annotation, textOnly: boolean): { answer: string; evidence: string[]; type: Type } {
  if (annotation.unanswerable) return { answer: 'Unanswerable', evidence: [], type: 'none' }
  const evidence = textOnly ? annotation.evidence.filter(isText) : [...annotation.evidence]
  const { extractive_spans: spans, free_form_answer: free, yes_no: yes } = annotation
  if (spans.length > 0) return { answer: spans.join(', '), evidence, type: 'extractive' }
  if (free !== '') return { answer: free, evidence, type: 'abstractive' }
  if (yes === null) throw new RangeError('an annotation without an answer')
  return { answer: yes ? 'Yes' : 'No', evidence, type: 'boolean' }
}

const meanOrZero = (values: readonly number[]): number => (values.length === 0 ? 0 : mean(values))
