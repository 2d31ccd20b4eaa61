import { UserError } from '../errors.ts'
import type { AcceptedAnswer, Corpus, Evidence, Question } from '../types.ts'
import type { Paper, QasperAnswer } from './qasper-papers.ts'

export interface QasperReading {
  readonly captions: boolean
  readonly textEvidenceOnly: boolean
}

const floatMark = 'FLOAT SELECTED'

/**
 * A paper as a corpus of one document: title, abstract, section names and paragraphs (then captions, where asked for) between blank lines.
 * White space around a paragraph goes, and a blank line within one becomes a line break, in the text and in the evidence alike, so that
 * every paragraph that an annotator marked is found whole (our reading).
 */
export function corpusOf(paper: Paper, reading: QasperReading): Corpus {
  const captions = reading.captions
    ? (paper.figures_and_tables ?? []).map(({ caption }) => `${floatMark}: ${caption}`)
    : []
  const sections = paper.full_text.flatMap(({ section_name, paragraphs }) => [heading(section_name), ...paragraphs])
  const text = [paper.title, paper.abstract, ...sections, ...captions]
    .map(paragraph)
    .filter((one) => one !== '')
    .join('\n\n')
  return {
    id: paper.id,
    documents: [{ id: paper.id, text, title: paper.title.trim() }],
    questions: paper.qas.map((asked, index) => {
      const where = `${paper.where}, question ${index + 1}`
      return toQuestion(
        asked,
        asked.answers.map(({ answer }, annotator) =>
          accepted(answer, `${where}, answer ${annotator + 1}`, paper.id, reading),
        ),
      )
    }),
  }
}

// some names are nothing but the marks between levels: " ::: "
const heading = (name: string | null): string => (name !== null && /[\p{L}\p{N}]/u.test(name) ? name : '')

const paragraph = (text: string): string => text.trim().replace(/\n\s*\n/g, '\n')

function toQuestion(asked: Paper['qas'][number], answers: readonly AcceptedAnswer[]): Question {
  const evidence = new Map(answers.flatMap((one) => one.evidence ?? []).map((one) => [one.text, one]))
  return {
    id: asked.question_id,
    text: asked.question.trim(),
    reference: { kind: 'answer', accepted: answers },
    evidence: [...evidence.values()],
  }
}

/** Reads an annotator in the order of the official evaluator (get_answers_and_evidence, qasper_evaluator.py). */
function accepted(answer: QasperAnswer, where: string, documentId: string, reading: QasperReading): AcceptedAnswer {
  if (answer.unanswerable) return { text: 'Unanswerable', type: 'unanswerable', evidence: [] }
  const evidence: Evidence[] = answer.evidence
    .map(paragraph)
    .filter((text) => text !== '' && !(reading.textEvidenceOnly && text.includes(floatMark)))
    .map((text) => ({ documentId, text }))
  if (answer.extractive_spans.length > 0)
    return { text: answer.extractive_spans.join(', '), type: 'extractive', evidence }
  if (answer.free_form_answer !== '') return { text: answer.free_form_answer, type: 'abstractive', evidence }
  if (answer.yes_no !== null) return { text: answer.yes_no ? 'Yes' : 'No', type: 'boolean', evidence }
  throw new UserError(
    `${where}: neither unanswerable nor extractive_spans, free_form_answer or yes_no; the official evaluator refuses it too`,
  )
}
