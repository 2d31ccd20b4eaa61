import type { Answer, ContextPassage, Evidence, Question, Reference } from '../../types.ts'
import { normaliseText, inCommon, tokensOf } from './check-run.ts'
import { meet, type Locator, type Place } from './located.ts'

/** What a trial is scored from: the texts of its passages and its answer, and the question as the dataset has it. */
export interface Evaluated {
  readonly question: Question
  readonly context: readonly ContextPassage[]
  readonly answer: Answer
  /** Whether the answer is the fixed one of a missing context, and the scorer gives it no credit. */
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

const textsOf = (answers: Accepted): readonly string[] => answers.map(({ text }) => text)

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
  return { ...squad20(normaliseText(text) === 'unanswerable' ? '' : text, textsOf(answersOf(reference))) }
}

function musique({ question, context, answer, missing, locate }: Evaluated): Metrics {
  const truths = textsOf(answersOf(question.reference))
  const gold = new Set(question.evidence?.map(({ documentId }) => documentId))
  const documents = new Set(context.flatMap((passage) => documentsOf(passage, locate)))
  const scores = missing ? { exactMatch: 0, f1: 0 } : bestOf(answer.text, truths)
  return { ...scores, ...(gold.size > 0 && supportScores(documents, gold)) }
}

/** The documents in which the words of a passage stand; a summary of one document leads to that. */
function documentsOf(passage: ContextPassage, locate: Locator): readonly string[] {
  const places = locate.placesOf(passage)
  const documents = places ? new Set(places.map(({ document }) => document)) : locate.documentsOf(passage)
  return places || documents.size === 1 ? [...documents] : []
}

type Unit = 'chunk' | 'document' | 'evidence'

function retrieval(trial: Evaluated, { k, unit }: { readonly k: readonly number[]; readonly unit: Unit }): Metrics {
  const { question, context, chunks, locate } = trial
  const { evidence = [], notInCorpus = {} } = question
  const places = evidence.map((piece) => locate.placeOf(piece))
  const missing = Object.entries(notInCorpus)
  if (unit === 'evidence') return coverage(context, [...places, ...missing.map(() => undefined)], k, locate)
  const pieces = places.flatMap((place) => place ?? [])
  const grades = new Map(missing)
  const judge = (id: string, { grade = 1 }: Evidence): unknown =>
    grades.set(id, Math.max(grade, grades.get(id) ?? grade))
  for (const [index, piece] of evidence.entries()) {
    const place = places[index]
    if (unit === 'document') judge(piece.documentId, piece)
    else if (place) for (const id of chunks) if (meet(place, locate.chunkPlace(id))) judge(id, piece)
  }
  const relevant = new Set(grades.keys())
  const run = context.flatMap((passage, rank): RunLine[] => {
    const items = unit === 'chunk' ? chunksOf(passage, pieces, relevant, locate) : documentsOf(passage, locate)
    return (items.length > 0 ? items : [ownId(rank)]).map((id) => ({ id, score: passage.score }))
  })
  return trecEval(best(run), grades, k)
}

/** The chunks of a passage whose evidence its words hold; else the first, unless that has evidence elsewhere. */
function chunksOf(
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
    run.every((item, at) => item.id !== id || score > item.score || (score === item.score && index <= at)),
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
  const holdings = passages.map(({ passage }) =>
    evidence.flatMap((piece, index) =>
      piece && locate.placesOf(passage)?.some((place) => meet(place, piece)) ? [index] : [],
    ),
  )
  const first = holdings.findIndex((pieces) => pieces.length > 0)
  const at = (name: string, measure: (pieces: readonly (readonly number[])[], k: number) => number): Metrics =>
    Object.fromEntries(cuts.map((k) => [`${name}@${k}`, measure(holdings.slice(0, k), k)]))
  return {
    ...at('recall', (pieces) => new Set(pieces.flat()).size / Math.max(1, evidence.length)),
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

/** Exact match and F1 of supporting paragraphs (musique, metrics/support.py): 1 where neither side names one. */
export function supportScores(
  predictions: ReadonlySet<unknown>,
  gold: ReadonlySet<unknown>,
): { readonly supportEM: number; readonly supportF1: number } {
  const right = [...predictions].filter((paragraph) => gold.has(paragraph)).length
  const wrong = predictions.size - right
  const missing = gold.size - right
  const precision = right + wrong > 0 ? right / (right + wrong) : 0
  const recall = right + missing > 0 ? right / (right + missing) : 0
  const f1 = precision + recall > 0 ? (2 * precision * recall) / (precision + recall) : 0
  const exact = wrong + missing === 0
  return { supportEM: exact ? 1 : 0, supportF1: exact ? 1 : f1 }
}

/** One annotator's answer as get_answers_and_evidence gives it: an unanswerable one has no evidence. */
interface QasperReference {
  readonly answer: string
  readonly evidence: readonly string[]
}

/** Answer F1 and Evidence F1 of one question: maxima over the annotators (allenai/qasper-led-baseline). */
export function qasperScores(
  prediction: QasperReference,
  references: readonly QasperReference[],
): { readonly answerF1: number; readonly evidenceF1: number } {
  return {
    answerF1: Math.max(...references.map(({ answer }) => tokenF1Score(prediction.answer, answer))),
    evidenceF1: Math.max(...references.map(({ evidence }) => paragraphF1Score(prediction.evidence, evidence))),
  }
}

/** token_f1_score: 0 where no token is shared, also for two empty answers. SQuAD 1.1 has the same. */
export function tokenF1Score(prediction: string, truth: string): number {
  const [predictionTokens, truthTokens] = [tokensOf(prediction), tokensOf(truth)]
  return harmonicMean(inCommon(predictionTokens, truthTokens), predictionTokens.length, truthTokens.length)
}

/** paragraph_f1_score: sets overlap, lists divide. */
function paragraphF1Score(predictions: readonly string[], truths: readonly string[]): number {
  if (truths.length === 0 && predictions.length === 0) return 1
  const overlap = new Set(truths).size + new Set(predictions).size - new Set([...truths, ...predictions]).size
  return harmonicMean(overlap, predictions.length, truths.length)
}

/** F1 of precision and recall: how many are shared, of those predicted and of those wanted; 0 where none is. */
function harmonicMean(overlap: number, predictionCount: number, truthCount: number): number {
  if (overlap === 0) return 0
  const [precision, recall] = [overlap / predictionCount, overlap / truthCount]
  return (2 * precision * recall) / (precision + recall)
}

interface AnswerScores {
  readonly exactMatch: number
  readonly f1: number
}

/** SQuAD 1.1 (evaluate, metric_max_over_ground_truths), as fractions; a question without a prediction scores 0. */
export function squad11(prediction: string | undefined, truths: readonly string[]): AnswerScores {
  if (prediction === undefined) return { exactMatch: 0, f1: 0 }
  return {
    exactMatch: Math.max(...truths.map((truth) => same(prediction, truth))),
    f1: Math.max(...truths.map((truth) => tokenF1Score(prediction, truth))),
  }
}

/** SQuAD 2.0 (get_raw_scores), as fractions: truths without a token go; where none is left, the empty one is right. */
export function squad20(prediction: string, truths: readonly string[]): AnswerScores {
  const answers = truths.filter((truth) => normaliseText(truth) !== '')
  return bestOf(prediction, answers.length > 0 ? answers : [''])
}

/** Exact match and F1 as SQuAD 2.0 and MuSiQue compute them (compute_exact, compute_f1): two empty answers agree. */
export const bestOf = (prediction: string, truths: readonly string[]): AnswerScores => ({
  exactMatch: Math.max(...truths.map((truth) => same(prediction, truth))),
  f1: Math.max(...truths.map((truth) => computeF1(prediction, truth))),
})

const same = (answer: string, other: string): number => (normaliseText(answer) === normaliseText(other) ? 1 : 0)

function computeF1(prediction: string, truth: string): number {
  const [gold, predictionTokens] = [tokensOf(truth), tokensOf(prediction)]
  if (gold.length === 0 || predictionTokens.length === 0) return gold.length === predictionTokens.length ? 1 : 0
  return harmonicMean(inCommon(gold, predictionTokens), predictionTokens.length, gold.length)
}

/** One line of a TREC run file. */
interface RunLine {
  readonly id: string
  readonly score: number
}

/**
 * The measures of trec_eval 9.0.8 for one question by our names. `grades`: what is judged; all that is not above 0 is
 * not relevant. 0 where nothing is relevant.
 */
export function trecEval(
  run: readonly RunLine[],
  grades: ReadonlyMap<string, number>,
  cuts: readonly number[],
): Readonly<Record<string, number>> {
  const gainOf = (grade = 0): number => Math.max(grade, 0)
  const gains = order(run).map(({ id }) => gainOf(grades.get(id)))
  const ideal = Array.from(grades.values(), gainOf).sort((a, b) => b - a)
  const relevant = ideal.filter(Boolean).length
  const shareOf = (part: number, total: number): number => (total === 0 ? 0 : part / total)
  const measures: Record<string, number> = { mrr: 0, map: 0 }
  let found = 0
  gains.forEach((gain, rank) => {
    if (gain === 0) return
    found++
    if (found === 1) measures['mrr'] = 1 / (rank + 1)
    measures['map']! += found / (rank + 1) / relevant
  })
  for (const k of cuts) {
    const hits = gains.slice(0, k).filter(Boolean).length
    measures[`recall@${k}`] = shareOf(hits, relevant)
    measures[`precision@${k}`] = hits / k
    measures[`hit@${k}`] = hits > 0 ? 1 : 0
    measures[`ndcg@${k}`] = shareOf(discountedGain(gains.slice(0, k)), discountedGain(ideal.slice(0, k)))
  }
  return measures
}

/** form_res_rels.c: scores descending as 32-bit floats, ties by strcmp on the ids, descending. */
const order = <L extends RunLine>(run: readonly L[]): L[] =>
  [...run].sort((a, b) => {
    const [scoreA, scoreB] = [Math.fround(a.score), Math.fround(b.score)]
    return scoreA === scoreB ? Buffer.from(b.id).compare(Buffer.from(a.id)) : scoreB - scoreA
  })

function discountedGain(gains: readonly number[]): number {
  let sum = 0
  for (const [rank, gain] of gains.entries()) sum += (gain * Math.LN2) / Math.log(rank + 2)
  return sum
}
