import type { Answer, ContextPassage, Question, Reference } from '../../src/types.ts'
import { normalised } from './answer-text.ts'
import { meet, type Locator, type Place } from './located.ts'
import { supportScores } from './musique-metrics.ts'
import { qasperScores } from './qasper-evaluator.ts'
import { bestOf, squad11, squad20 } from './squad-scripts.ts'
import { order, trecEval, type RunLine } from './trec-eval.ts'

/** What a trial is scored from: the texts of its passages and its answer, and the question as the dataset has it. */
export interface Evaluated {
  readonly question: Question
  readonly context: readonly ContextPassage[]
  readonly answer: Answer
  /** Whether the answer is no prediction: the fixed one that stands for a missing context, where the scorer gives it no credit. */
  readonly missing: boolean
  /** Ids of all chunks of the corpus, in order. */
  readonly chunks: readonly string[]
  readonly locate: Locator
}

type Metrics = Readonly<Record<string, number>>

/** What the official scripts give for one trial, by the name of our scorer; the options are those of that scorer. */
export const officialScores: Readonly<Record<string, (trial: Evaluated, options: unknown) => Metrics>> = {
  'qasper-f1': (trial, options) => qasper(trial, (options as { textEvidenceOnly: boolean }).textEvidenceOnly),
  squad: (trial, options) => squad(trial, (options as { version: number }).version),
  musique,
  retrieval: (trial, options) => retrieval(trial, options as { k: readonly number[]; unit: Unit }),
  accuracy: quality,
}

type Accepted = Extract<Reference, { kind: 'answer' }>['accepted']

const acceptedOf = (reference: Reference): Accepted => (reference.kind === 'answer' ? reference.accepted : [])

const answersOf = (reference: Reference): Accepted =>
  acceptedOf(reference).filter(({ type }) => type !== 'unanswerable')

const textsOf = (accepted: Accepted): readonly string[] => accepted.map(({ text }) => text)

function qasper({ question, context, answer, missing, locate }: Evaluated, textOnly: boolean): Metrics {
  if (missing) return { answerF1: 0, evidenceF1: 0 }
  const paragraphs = context.flatMap((passage) => {
    const places = locate.placesOf(passage)
    // what stands in no document, such as the caption of a figure, is a paragraph of its own
    if (passage.kind === 'chunk' && passage.from.length === 0 && !places?.length) return [passage.text.trim()]
    return places?.flatMap((place) => locate.paragraphsAt(place)) ?? []
  })
  const references = acceptedOf(question.reference).map(({ text, type, evidence = [] }) => ({
    answer: text,
    evidence: evidence
      .flatMap((piece) => (type === 'unanswerable' || piece.text === undefined ? [] : [piece.text.trim()]))
      .filter((paragraph) => !textOnly || !paragraph.includes('FLOAT SELECTED')),
  }))
  return { ...qasperScores({ answer: answer.text, evidence: [...new Set(paragraphs)] }, references) }
}

function squad({ question: { reference }, answer: { text }, missing }: Evaluated, version: number): Metrics {
  if (missing) return { exactMatch: 0, f1: 0 }
  if (version !== 2) return { ...squad11(text, textsOf(acceptedOf(reference))) }
  // the reply that says so leaves a question unanswered
  return { ...squad20(normalised(text) === 'unanswerable' ? '' : text, textsOf(answersOf(reference))) }
}

function musique({ question, context, answer, missing, locate }: Evaluated): Metrics {
  const truths = textsOf(answersOf(question.reference))
  const gold = new Set(question.evidence?.map(({ documentId }) => documentId))
  const found = new Set(context.flatMap((passage) => documentsFound(passage, locate)))
  const scores = missing ? { exactMatch: 0, f1: 0 } : bestOf(answer.text, truths)
  return { ...scores, ...(gold.size > 0 && supportScores(found, gold)) }
}

/** The documents in which the words of a passage stand; a summary of one document leads to that. */
function documentsFound(passage: ContextPassage, locate: Locator): readonly string[] {
  const places = locate.placesOf(passage)
  const documents = places ? new Set(places.map(({ document }) => document)) : locate.documentsOf(passage)
  return places || documents.size === 1 ? [...documents] : []
}

type Unit = 'chunk' | 'document' | 'evidence'

function retrieval(trial: Evaluated, { k, unit }: { readonly k: readonly number[]; readonly unit: Unit }): Metrics {
  const { question, context, chunks, locate } = trial
  const evidence = (question.evidence ?? []).map((piece) => locate.placeOf(piece))
  if (unit === 'evidence') return coverage(context, evidence, k, locate)
  const pieces = evidence.flatMap((place) => place ?? [])
  const relevant =
    unit === 'chunk'
      ? new Set(chunks.filter((id) => pieces.some((piece) => meet(piece, locate.chunkPlace(id)))))
      : new Set((question.evidence ?? []).map(({ documentId }) => documentId))
  const run = context.flatMap((passage, rank): RunLine[] => {
    const found = unit === 'chunk' ? chunksFound(passage, pieces, relevant, locate) : documentsFound(passage, locate)
    return (found.length > 0 ? found : [ownId(rank)]).map((id) => ({ id, score: passage.score }))
  })
  return trecEval(best(run), relevant, k)
}

/** Of the chunks that a passage was made of, those whose evidence its words hold; else the first, unless that has evidence elsewhere. */
function chunksFound(
  passage: ContextPassage,
  evidence: readonly Place[],
  relevant: ReadonlySet<string>,
  locate: Locator,
): readonly string[] {
  const places = locate.placesOf(passage)
  if (!places) return []
  const holding = passage.from.filter((id) =>
    places.some((place) => evidence.some((piece) => meet(place, piece, locate.chunkPlace(id)))),
  )
  return holding.length > 0 ? holding : passage.from.slice(0, 1).filter((id) => !relevant.has(id))
}

/** Below every other id among equal scores, and the earlier before the later. */
const ownId = (rank: number): string => `\u0001${String(2e9 - rank)}`

/** A run file names an id once: with its best score. */
function best(run: readonly RunLine[]): readonly RunLine[] {
  return run.filter(({ id, score }, index) =>
    run.every((other, at) => other.id !== id || score > other.score || (score === other.score && index <= at)),
  )
}

/** Pieces of evidence that the words of the first k passages hold. */
function coverage(
  context: readonly ContextPassage[],
  evidence: readonly (Place | undefined)[],
  cuts: readonly number[],
  locate: Locator,
): Metrics {
  const passages = order(context.map((passage, rank) => ({ passage, score: passage.score, id: ownId(rank) })))
  const held = passages.map(({ passage }) =>
    evidence.flatMap((piece, index) =>
      piece && locate.placesOf(passage)?.some((place) => meet(place, piece)) ? [index] : [],
    ),
  )
  const first = held.findIndex((pieces) => pieces.length > 0)
  const at = (name: string, measure: (pieces: readonly (readonly number[])[], k: number) => number): Metrics =>
    Object.fromEntries(cuts.map((k) => [`${name}@${k}`, measure(held.slice(0, k), k)]))
  return {
    ...at('recall', (pieces) => new Set(pieces.flat()).size / evidence.length),
    ...at('precision', (pieces, k) => pieces.filter(({ length }) => length > 0).length / k),
    ...at('hit', (pieces) => (pieces.flat().length > 0 ? 1 : 0)),
    mrr: first < 0 ? 0 : 1 / (first + 1),
  }
}

/** QuALITY's leaderboard: labels from 1, and -1 abstains. */
function quality({ question: { reference }, answer }: Evaluated): Metrics {
  const label = (answer.choice ?? -2) + 1
  const right = reference.kind === 'choice' && label === reference.correct + 1
  return { accuracy: right ? 1 : 0, sat: right ? 1 : label === -1 ? 0 : -1 / 3 }
}
