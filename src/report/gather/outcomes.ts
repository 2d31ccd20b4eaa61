import type { IndexLine, Manifest, MethodRecord, TrialLine } from '../../records.ts'
import { hashOf } from '../../text/hash.ts'
import type { Question } from '../../types.ts'
import { valuesByRepeat } from './estimate.ts'
import { gatherScores } from './scores.ts'
import { gatherTrials, type Journals } from './trials.ts'
import type { DocumentChanges, TouchingDocument } from '../differences.ts'

/** A run to compare, under the name that the user gave. `row`: compare only this row. */
export interface DiffSide extends Pick<Journals, 'trials' | 'scores'> {
  readonly name: string
  readonly manifest: Manifest
  readonly row?: string
}

/** Mean score over repeats and judge runs (null: none), and whether any of them failed. */
export interface Outcome {
  readonly score: number | null
  readonly failed: boolean
  /** By repeat, where repeats have their own indexes. */
  readonly repeats?: ReadonlyMap<number, number>
}

/** A question without its texts; `digest` covers question and reference. */
export interface QuestionFacts {
  readonly digest: string
  readonly cluster?: string
  /** Changed documents of its evidence. */
  readonly evidence: readonly TouchingDocument[]
  /** Whether no document of the run contains a part of its evidence. */
  readonly hasMissing: boolean
}

/** The selected rows of a run, by question id in trial order. */
export type ReadRun = Awaited<ReturnType<typeof readRun>>

/** Reads trials and scores of the rows once. Keeps no text. */
export async function readRun(
  { manifest, trials, scores }: DiffSide,
  rows: readonly MethodRecord[],
  changes?: DocumentChanges,
) {
  const touchingByQuestion = new Map<string, Map<string, TouchingDocument>>()
  const touch = (corpus: string, document: string, evidence: boolean): readonly TouchingDocument[] => {
    const change = changes?.of(corpus, document)
    return change ? [{ document, change, evidence }] : []
  }
  const questions = new Map<string, QuestionFacts>()
  const questionIds = new Map(rows.map(({ id }) => [id, new Set<string>()]))
  async function* collectQuestions(lines: AsyncIterable<IndexLine | TrialLine>): AsyncGenerator<IndexLine | TrialLine> {
    for await (const line of lines) {
      const ids = questionIds.get(line.methodId)
      if (ids && line.line === 'trial') {
        const { question } = line
        ids.add(question.id)
        const { corpus, context } = line
        if (!questions.has(question.id))
          questions.set(question.id, {
            digest: digestOf(question),
            ...(question.cluster !== undefined && { cluster: question.cluster }),
            evidence: (question.evidence ?? []).flatMap(({ documentId }) => touch(corpus, documentId, true)),
            hasMissing: (question.evidence ?? []).some(({ missing }) => missing),
          })
        const matches = context.flatMap(({ documents }) =>
          documents.flatMap((document) => touch(corpus, document, false)),
        )
        const key = JSON.stringify([line.methodId, question.id])
        const touching = touchingByQuestion.get(key) ?? new Map<string, TouchingDocument>()
        for (const match of matches) touching.set(match.document, match)
        if (touching.size > 0) touchingByQuestion.set(key, touching)
      }
      yield line
    }
  }
  const selection = { ...manifest, methods: rows }
  const gatheredTrials = await gatherTrials(selection, collectQuestions(trials()))
  const gatheredScores = await gatherScores(selection, scores(), gatheredTrials)
  const { byQuestion, failedQuestions } = gatheredScores
  return {
    cells: gatheredScores.cells,
    questions,
    /** Changed documents with a passage in the contexts of a question. */
    touching: ({ id }: MethodRecord, question: string): readonly TouchingDocument[] => [
      ...(touchingByQuestion.get(JSON.stringify([id, question]))?.values() ?? []),
    ],
    outcomesOf({ id }: MethodRecord, { scorer, metric }: ChosenMetric): ReadonlyMap<string, Outcome> {
      const scorerId = manifest.scorers.find((candidate) => candidate.scorer === scorer)?.id ?? ''
      const hasOwnIndexes = gatheredScores.hasOwnIndexes(id)
      const scoresByNumber = new Map(
        byQuestion(id, scorerId, metric).map((questionScores) => [questionScores.question, questionScores]),
      )
      const failed = failedQuestions(id, scorerId)
      return new Map(
        Array.from(questionIds.get(id) ?? [], (question) => {
          const number = gatheredScores.questions.numberOf(question, questions.get(question)?.cluster)
          const questionScores = scoresByNumber.get(number)
          const repeats = questionScores && hasOwnIndexes && { repeats: valuesByRepeat(questionScores) }
          return [question, { score: questionScores?.mean ?? null, failed: failed.has(number), ...repeats }]
        }),
      )
    },
  }
}

/** Of what a question asks and accepts. */
const digestOf = ({ text, searchText, reference, history }: Question): string =>
  hashOf({ text, reference, history: history ?? null, ...(searchText !== undefined && { searchText }) }).slice(0, 16)

/** A metric of a scorer label. */
export interface ChosenMetric {
  readonly scorer: string
  readonly metric: string
}
