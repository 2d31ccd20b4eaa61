import { UserError } from '../../errors.ts'
import type { IndexLine, MethodRecord, TrialLine, ScorerRecord, Manifest } from '../../records.ts'
import { hashOf } from '../../text/hash.ts'
import { findMetric, findRow, rowName } from '../../text/names.ts'
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
  const named = before.row ?? after.row
  if (named !== undefined) {
    // where only one side names a row, a mistake is in that side
    const [first, second] = before.row === undefined ? [after, before] : [before, after]
    const [one, other] = [rowOf(first.row ?? named, first), rowOf(second.row ?? named, second)]
    const pair = first === before ? { before: one, after: other } : { before: other, after: one }
    return { pairs: [pair], onlyBefore: [], onlyAfter: [] }
  }
  const ours = new Map(before.manifest.methods.map((row) => [rowName(row), row]))
  const theirs = new Map(after.manifest.methods.map((row) => [rowName(row), row]))
  const pairs = [...ours].flatMap(([name, row]) => {
    const other = theirs.get(name)
    return other ? [{ before: row, after: other }] : []
  })
  const onlyBefore = [...ours.keys()].filter((name) => !theirs.has(name))
  const onlyAfter = [...theirs.keys()].filter((name) => !ours.has(name))
  if (pairs.length === 0)
    throw new UserError(
      `no row is in both runs; name two of them as FOLDER#row (${before.name}: ${onlyBefore.join(', ')}; ${after.name}: ${onlyAfter.join(', ')})`,
    )
  return { pairs, onlyBefore, onlyAfter }
}

function rowOf(name: string, { name: run, manifest }: DiffSide): MethodRecord {
  const found = findRow(name, manifest.methods)
  if (typeof found === 'string') throw new UserError(`${run}: ${found}`)
  return found
}

/** The mean of a question over repeats and judge runs, null without one, and whether any of them failed. */
export interface Outcome {
  readonly score: number | null
  readonly failed: boolean
  /** The score of each repeat, where repeats have indexes of their own. */
  readonly repeats?: ReadonlyMap<number, number>
}

/** A question without its texts: `digest` changes with what is asked and with what is right. */
export interface KnownQuestion {
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
  readonly questions: ReadonlyMap<string, KnownQuestion>
  outcomesOf(row: MethodRecord, metric: ChosenMetric): ReadonlyMap<string, Outcome>
  /** The changed documents of which a context of a row holds a passage. */
  touching(row: MethodRecord, question: string): readonly TouchingDocument[]
}

/** Reads the trials and scores of some rows once, as the table does. No text is kept. */
export async function readRun(
  { manifest, trials, scores }: DiffSide,
  rows: readonly MethodRecord[],
  changed?: DocumentChanges,
): Promise<ReadRun> {
  const touched = new Map<string, Map<string, TouchingDocument>>()
  const touch = (corpus: string, document: string, evidence: boolean): readonly TouchingDocument[] => {
    const change = changed?.of(corpus, document)
    return change ? [{ document, change, evidence }] : []
  }
  const questions = new Map<string, KnownQuestion>()
  const asked = new Map(rows.map(({ id }) => [id, new Set<string>()]))
  async function* noted(lines: AsyncIterable<IndexLine | TrialLine>): AsyncGenerator<IndexLine | TrialLine> {
    for await (const line of lines) {
      const own = asked.get(line.methodId)
      if (own && line.line === 'trial') {
        const { question } = line
        own.add(question.id)
        const { corpus, context } = line
        if (!questions.has(question.id))
          questions.set(question.id, {
            ...withoutTexts(question),
            evidence: (question.evidence ?? []).flatMap(({ documentId }) => touch(corpus, documentId, true)),
            hasMissing: (question.evidence ?? []).some(({ missing }) => missing),
          })
        const found = context.flatMap(({ documents }) => documents.flatMap((one) => touch(corpus, one, false)))
        const key = JSON.stringify([line.methodId, question.id])
        const known = touched.get(key) ?? new Map<string, TouchingDocument>()
        for (const one of found) known.set(one.document, one)
        if (known.size > 0) touched.set(key, known)
      }
      yield line
    }
  }
  const chosen = { ...manifest, methods: rows }
  const gatheredTrials = await gatherTrials(chosen, noted(trials()))
  const gathered = await gatherScores(chosen, scores(), gatheredTrials)
  const { byQuestion, failedQuestions } = gathered
  return {
    cells: gathered.cells,
    questions,
    touching: ({ id }, question) => [...(touched.get(JSON.stringify([id, question]))?.values() ?? [])],
    outcomesOf({ id }, { scorer, metric }) {
      const scorerId = manifest.scorers.find((one) => one.scorer === scorer)?.id ?? ''
      const own = gathered.hasOwnIndexes(id)
      const scored = new Map(byQuestion(id, scorerId, metric).map((one) => [one.question, one]))
      const failed = failedQuestions(id, scorerId)
      return new Map(
        Array.from(asked.get(id) ?? [], (question) => {
          const number = gathered.questions.numberOf(question, questions.get(question)?.cluster)
          const found = scored.get(number)
          const repeats = found && own && { repeats: valuesByRepeat(found) }
          return [question, { score: found?.mean ?? null, failed: failed.has(number), ...repeats }]
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
}: Question): Omit<KnownQuestion, 'evidence' | 'hasMissing'> => ({
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
  named: (name: string, scorers: readonly ScorerRecord[]) => ChosenMetric | string = findMetric,
): ChosenMetric {
  if (scorers.length === 0) throw new UserError('no scorer is in both runs; run them with a common one')
  if (name !== undefined) {
    const metric = named(name, scorers)
    if (typeof metric === 'string') throw new UserError(`--metric: ${metric}`)
    return metric
  }
  const first = comparedMetric({ scorers }, cells)
  if (!first) throw new UserError('the rows to compare have no score of a scorer that is in both runs')
  return { scorer: first.scorer.scorer, metric: first.metric }
}
