import { rowName, findRow } from '../../text/names.ts'
import type { IndexLine, MethodRecord, TrialLine } from '../../records.ts'
import { acceptedTexts } from '../../scorers/shared/accepted-answers.ts'
import { memoise } from '../../basics/memoise.ts'
import { hashOf } from '../../text/hash.ts'
import type { Answer, Kind, Opponent, Question, ScorerInput, ScorerNeeds } from '../../types.ts'
import type { ScorerEntry } from '../prepare/scorer-entries.ts'

/** The input of a scorer from other trials, with its digest: a score of another input is made again. */
export interface ExtraInput {
  readonly fields: Pick<ScorerInput, 'references' | 'opponents' | 'outcome'>
  readonly digest?: string
}

export type TrialSummary = ReturnType<typeof summariseTrials>

/** The number of questions whose references give claims for testing judges. */
const maxQuestions = 1000

/**
 * Collects in one pass over trials.jsonl what scoring needs of all trials: `add` takes each line once, without those
 * that a later one replaces. References and answers are kept in memory only where a scorer needs them.
 */
export function summariseTrials(scorers: readonly ScorerEntry[], rows: ReadonlyMap<string, MethodRecord>) {
  const needs = scorers.filter((entry) => !needsOutcome(entry)).map(needsOf)
  const storesReferences = needs.some(({ references }) => references)
  const needsAnswers = needs.some(({ opponents }) => opponents)
  const needsQuestions = scorers.some(({ scorer }) => scorer.judge)
  const oracle = scorers.some(needsOutcome)
    ? [...rows.values()].find(({ use, inConfig }) => use === 'oracle' && inConfig !== false)
    : undefined
  const positions = new Map<string, number>()
  const questions = new Map<string, Question>()
  const references = new Map<string, { readonly kind: Kind; readonly texts: readonly string[] }>()
  const answers = new Map<string, { readonly id: string; readonly answer: Answer }>()
  const answerOf = (row: string, trial: TrialLine) => answers.get(answerKey(row, trial))
  const counts = new Map<string, number>()

  const referencesFor = memoise(({ scorer: { kinds } }: ScorerEntry) => {
    const texts = [...references.values()].flatMap(({ kind, texts }) => (kinds.includes(kind) ? texts : []))
    return { texts, digest: hashOf(texts) }
  })
  return {
    add: (line: IndexLine | Omit<TrialLine, 'context'>): void => {
      if (line.line === 'index') return
      positions.set(line.id, positions.size)
      const { corpus, question, answer, methodId, failure } = line
      const { reference } = question
      const key = `${corpus} ${question.id}`
      if (needsQuestions && questions.size < maxQuestions) questions.set(key, question)
      if (storesReferences) references.set(key, { kind: reference.kind, texts: acceptedTexts(reference) })
      if (rows.has(methodId)) {
        const count = countKey(reference.kind, failure !== undefined)
        counts.set(count, (counts.get(count) ?? 0) + 1)
      }
      const isNeeded = needsAnswers || methodId === oracle?.id
      if (answer && isNeeded) answers.set(answerKey(methodId, line), { id: line.id, answer })
    },
    /** Places of the trials in the file, by id. */
    places: positions,
    /** The first questions, each once. */
    questions: (): readonly Question[] => [...questions.values()],
    /** The row of the oracle, and its trial on the question and repeat of a trial. */
    oracle: {
      row: oracle,
      trialLike: (trial: TrialLine) => oracle && answerOf(oracle.id, trial),
    },
    /** How many trials of the rows a scorer scores. */
    count: (entry: ScorerEntry): number =>
      entry.scorer.kinds.reduce((sum, kind) => {
        const failed = needsOutcome(entry) ? (counts.get(countKey(kind, true)) ?? 0) : 0
        return sum + failed + (counts.get(countKey(kind, false)) ?? 0)
      }, 0),
    /** The references and opponents that a scorer gets for a trial. */
    extraInputFor: (trial: TrialLine, entry: ScorerEntry): ExtraInput => {
      const { references: needsReferences, opponents: names } = needsOf(entry)
      const entryReferences = needsReferences ? referencesFor(entry) : undefined
      const namedRows = names && opponentRows([...rows.values()], names)
      const opponentRecords = namedRows?.filter(({ id }) => id !== trial.methodId)
      const opponents = opponentRecords?.map((row): Opponent => {
        const { answer } = answerOf(row.id, trial) ?? {}
        return { row: rowName(row), ...(answer && { answer }) }
      })
      if (!entryReferences && !opponents) return { fields: {} }
      return {
        fields: {
          ...(entryReferences && { references: entryReferences.texts }),
          ...(opponents && { opponents }),
        },
        digest: hashOf([entryReferences?.digest ?? null, opponents ?? null]).slice(0, 12),
      }
    },
  }
}

const countKey = (kind: Kind, isFailed: boolean) => `${kind} ${isFailed}`

const answerKey = (row: string, { corpus, question, repeat }: Omit<TrialLine, 'context'>) =>
  JSON.stringify([row, corpus, question.id, repeat])

const needsOf = ({ scorer, options }: ScorerEntry): ScorerNeeds => scorer.needs?.(options) ?? {}

/** Whether a scorer needs the outcome of a trial: it runs last, and scores failed trials, too. */
export const needsOutcome = (entry: ScorerEntry) => needsOf(entry).outcome === true

/** The named rows, or all rows of the config that a table compares. */
const opponentRows = (rows: readonly MethodRecord[], names: 'all' | readonly string[]): readonly MethodRecord[] =>
  names === 'all'
    ? rows.filter(({ context, answers, inConfig }) => !context && !answers && inConfig !== false)
    : names.flatMap((name) => {
        const row = findRow(name, rows)
        return typeof row === 'string' ? [] : [row]
      })
