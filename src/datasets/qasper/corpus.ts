import { UserError } from '../../errors.ts'
import type { AcceptedAnswer, Corpus, Evidence, Question } from '../../types.ts'
import type { Paper, QasperAnswer } from './papers.ts'

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
  const parts = [paper.title, paper.abstract, ...sections, ...captions].map(paragraph).filter((one) => one !== '')
  const starts = startsOf(parts)
  return {
    id: paper.id,
    documents: [{ id: paper.id, text: parts.join(gap), title: paper.title.trim() }],
    questions: paper.qas.map((asked, index) => {
      const where = `${paper.where}, question ${index + 1}`
      return toQuestion(
        asked,
        asked.answers.map(({ answer }, annotator) =>
          accepted(answer, `${where}, answer ${annotator + 1}`, reading, (quoted) => {
            const start = starts.get(quoted)
            return { documentId: paper.id, text: quoted, ...(start !== undefined && { start }) }
          }),
        ),
        paper.id,
      )
    }),
  }
}

const gap = '\n\n'

/**
 * Where each part of a document begins: evidence is a whole part, whose words can stand in an earlier one as well. Of equal parts the
 * first is meant (our reading: the dataset does not say which).
 */
function startsOf(parts: readonly string[]): ReadonlyMap<string, number> {
  const starts = new Map<string, number>()
  let at = 0
  for (const part of parts) {
    if (!starts.has(part)) starts.set(part, at)
    at += part.length + gap.length
  }
  return starts
}

// some names are nothing but the marks between levels: " ::: "
const heading = (name: string | null): string => (name !== null && /[\p{L}\p{N}]/u.test(name) ? name : '')

const paragraph = (text: string): string => text.trim().replace(/\n\s*\n/g, '\n')

function toQuestion(asked: Paper['qas'][number], answers: readonly AcceptedAnswer[], cluster: string): Question {
  const evidence = new Map(answers.flatMap((one) => one.evidence ?? []).map((one) => [one.text, one]))
  return {
    id: asked.question_id,
    text: asked.question.trim(),
    reference: { kind: 'answer', accepted: answers },
    evidence: [...evidence.values()],
    cluster,
  }
}

/** Reads an annotator in the order of the official evaluator (get_answers_and_evidence, qasper_evaluator.py). */
function accepted(
  answer: QasperAnswer,
  where: string,
  reading: QasperReading,
  place: (quoted: string) => Evidence,
): AcceptedAnswer {
  if (answer.unanswerable) return { text: 'Unanswerable', type: 'unanswerable', evidence: [] }
  const evidence: Evidence[] = answer.evidence
    .map(paragraph)
    .filter((text) => text !== '' && !(reading.textEvidenceOnly && text.includes(floatMark)))
    .map(place)
  if (answer.extractive_spans.length > 0)
    return { text: answer.extractive_spans.join(', '), type: 'extractive', evidence }
  if (answer.free_form_answer !== '') return { text: answer.free_form_answer, type: 'abstractive', evidence }
  if (answer.yes_no !== null) return { text: answer.yes_no ? 'Yes' : 'No', type: 'boolean', evidence }
  throw new UserError(
    `${where}: neither unanswerable nor extractive_spans, free_form_answer or yes_no; the official evaluator rejects it too`,
  )
}
