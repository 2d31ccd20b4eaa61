import { valueOf } from '../../basics/collections.ts'
import type { Manifest, MethodRecord, TrialLine } from '../../records.ts'
import { hashOf } from '../../text/hash.ts'
import type { Question } from '../../types.ts'
import { gatherScores } from './scores.ts'
import { gatherTrials, type Journals } from './trials.ts'

/** A run to compare, under the name that the user gave. `row`: compare only this row. */
export interface DiffSide extends Pick<Journals, 'trials' | 'scores'> {
  readonly name: string
  readonly manifest: Manifest
  readonly row?: string
}

/** A question in a row of a run, without texts. */
export interface Outcome extends QuestionFacts {
  /** Mean over repeats and judge runs; null: none. */
  readonly score: number | null
  /** Whether any of them failed. */
  readonly failed: boolean
  /** By repeat, where repeats have their own indexes. */
  readonly repeats?: ReadonlyMap<number, number>
}

/** A question without its texts; `digest` covers question and reference. */
interface QuestionFacts {
  readonly digest: string
  readonly cluster?: string
  /** Whether no document of the run contains a part of its evidence. */
  readonly hasMissing: boolean
}

/** The selected rows of a run, by question id in trial order. */
export type ReadRun = Awaited<ReturnType<typeof readRun>>

/** Reads trials and scores of the rows once. Keeps no text. */
export async function readRun({ manifest, trials, scores }: DiffSide, rows: readonly MethodRecord[]) {
  const questions = new Map<string, QuestionFacts>()
  const idsByRow = new Map(rows.map(({ id }) => [id, new Set<string>()]))
  const addQuestion = ({ methodId, question }: TrialLine): void => {
    const { id, cluster, evidence = [] } = question
    const ids = idsByRow.get(methodId)?.add(id)
    if (!ids || questions.has(id)) return
    questions.set(id, {
      digest: digestOf(question),
      ...(cluster !== undefined && { cluster }),
      hasMissing: evidence.some(({ missing }) => missing),
    })
  }
  async function* collectQuestions(lines: ReturnType<typeof trials>) {
    for await (const line of lines) {
      if (line.line === 'trial') addQuestion(line)
      yield line
    }
  }
  const selection = { ...manifest, methods: rows }
  const gatheredTrials = await gatherTrials(selection, collectQuestions(trials()))
  const runScores = await gatherScores(selection, scores(), gatheredTrials)
  return {
    cells: runScores.cells,
    questions,
    outcomesOf({ id }: MethodRecord, { scorer, metric }: ChosenMetric): ReadonlyMap<string, Outcome> {
      const scorerId = manifest.scorers.find((candidate) => candidate.scorer === scorer)?.id ?? ''
      const row = runScores.of(id, scorerId, metric)
      return new Map(
        Array.from(idsByRow.get(id) ?? [], (question) => {
          const facts = valueOf(questions, question)
          const number = runScores.questions.numberOf(question, facts.cluster)
          const repeats = row.repeats?.get(number)
          const score = row.scores.get(number) ?? null
          const failed = row.failed.has(number)
          return [question, { ...facts, score, failed, ...(repeats && { repeats }) }]
        }),
      )
    },
  }
}

/** Of what a question asks and accepts. */
function digestOf({ text, searchText, reference, history }: Question) {
  const content = { text, reference, history: history ?? null }
  return hashOf({ ...content, ...(searchText !== undefined && { searchText }) }).slice(0, 16)
}

/** A metric of a scorer label. */
export interface ChosenMetric {
  readonly scorer: string
  readonly metric: string
}
