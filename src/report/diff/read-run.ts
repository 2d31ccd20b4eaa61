import { UserError } from '../../errors.ts'
import type { IndexLine, MethodRecord, TrialLine, ScorerRecord, Manifest } from '../../records.ts'
import { hashOf } from '../../text/hash.ts'
import { metricNamed, rowNamed, rowName } from '../../text/names.ts'
import type { Question } from '../../types.ts'
import { comparedMetric } from '../compare/rows-to-compare.ts'
import { valuesByRepeat, type Cell } from '../table/estimate.ts'
import { gatherScores } from '../table/gather-scores.ts'
import { gatherTrials } from '../table/gather-trials.ts'
import type { DocumentChanges, TouchingDocument } from './run-differences.ts'
import type { Journals } from '../table/table.ts'

/** A run to compare, under the name that a person gave. `row`: the one row that is meant. */
export interface DiffSide extends Pick<Journals, 'trials' | 'scores'> {
  readonly name: string
  readonly manifest: Manifest
  readonly row?: string
}

interface RowPair {
  readonly before: MethodRecord
  readonly after: MethodRecord
}

/** The rows to compare, and the names of those that only one run has. */
interface PairedRows {
  readonly pairs: readonly RowPair[]
  readonly onlyBefore: readonly string[]
  readonly onlyAfter: readonly string[]
}

/**
 * The rows named, the same name in both where one is, or all common rows. Throws UserError for an unknown row or none.
 */
export function pairRows(before: DiffSide, after: DiffSide): PairedRows {
  const sharedName = before.row ?? after.row
  if (sharedName !== undefined) {
    // where only one side names a row, a mistake is in that side
    const [first, second] = before.row === undefined ? [after, before] : [before, after]
    const [firstRow, secondRow] = [rowOf(first.row ?? sharedName, first), rowOf(second.row ?? sharedName, second)]
    const pair = first === before ? { before: firstRow, after: secondRow } : { before: secondRow, after: firstRow }
    return { pairs: [pair], onlyBefore: [], onlyAfter: [] }
  }
  const rowsBefore = new Map(before.manifest.methods.map((row) => [rowName(row), row]))
  const rowsAfter = new Map(after.manifest.methods.map((row) => [rowName(row), row]))
  const pairs = [...rowsBefore].flatMap(([name, row]) => {
    const later = rowsAfter.get(name)
    return later ? [{ before: row, after: later }] : []
  })
  const onlyBefore = [...rowsBefore.keys()].filter((name) => !rowsAfter.has(name))
  const onlyAfter = [...rowsAfter.keys()].filter((name) => !rowsBefore.has(name))
  if (pairs.length === 0)
    throw new UserError(
      `no row is in both runs; name two of them as FOLDER#row (${before.name}: ${onlyBefore.join(', ')}; ${after.name}: ${onlyAfter.join(', ')})`,
    )
  return { pairs, onlyBefore, onlyAfter }
}

function rowOf(name: string, { name: run, manifest }: DiffSide): MethodRecord {
  const row = rowNamed(name, manifest.methods)
  if (typeof row === 'string') throw new UserError(`${run}: ${row}`)
  return row
}

/** The mean of a question over repeats and judge runs, null without one, and whether any of them failed. */
export interface Outcome {
  readonly score: number | null
  readonly failed: boolean
  /** The score of each repeat, where repeats have indexes of their own. */
  readonly repeats?: ReadonlyMap<number, number>
}

/** A question without its texts: `digest` changes with what is asked and with what is right. */
export interface QuestionFacts {
  readonly digest: string
  readonly cluster?: string
  /** Changed documents in which its evidence stands. */
  readonly evidence: readonly TouchingDocument[]
  /** Whether no document of the run holds some of its evidence. */
  readonly hasMissing: boolean
}

/** The chosen rows of a run, by question id in the order of the trials. */
export interface ReadRun {
  readonly cells: readonly Cell[]
  readonly questions: ReadonlyMap<string, QuestionFacts>
  outcomesOf(row: MethodRecord, metric: ChosenMetric): ReadonlyMap<string, Outcome>
  /** The changed documents of which a context of a row holds a passage. */
  touching(row: MethodRecord, question: string): readonly TouchingDocument[]
}

/** Reads the trials and scores of some rows once, as the table does. No text is kept. */
export async function readRun(
  { manifest, trials, scores }: DiffSide,
  rows: readonly MethodRecord[],
  changes?: DocumentChanges,
): Promise<ReadRun> {
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
            ...withoutTexts(question),
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
    touching: ({ id }, question) => [...(touchingByQuestion.get(JSON.stringify([id, question]))?.values() ?? [])],
    outcomesOf({ id }, { scorer, metric }) {
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

const withoutTexts = ({
  text,
  searchText,
  reference,
  history,
  cluster,
}: Question): Omit<QuestionFacts, 'evidence' | 'hasMissing'> => ({
  digest: hashOf({ text, reference, history: history ?? null, ...(searchText !== undefined && { searchText }) }).slice(
    0,
    16,
  ),
  ...(cluster !== undefined && { cluster }),
})

/** What runs are compared on: a metric, of a scorer by its label. */
export interface ChosenMetric {
  readonly scorer: string
  readonly metric: string
}

/** The metric of that name, else the first shown, among the scorers given. Throws UserError where there is none. */
export function chooseMetric(
  name: string | undefined,
  scorers: readonly ScorerRecord[],
  cells: readonly Cell[],
  resolveMetric: (name: string, scorers: readonly ScorerRecord[]) => ChosenMetric | string = metricNamed,
): ChosenMetric {
  if (scorers.length === 0) throw new UserError('no scorer is in both runs; run them with a common one')
  if (name !== undefined) {
    const metric = resolveMetric(name, scorers)
    if (typeof metric === 'string') throw new UserError(`--metric: ${metric}`)
    return metric
  }
  const first = comparedMetric({ scorers }, cells)
  if (!first) throw new UserError('the rows to compare have no score of a scorer that is in both runs')
  return { scorer: first.scorer.scorer, metric: first.metric }
}
