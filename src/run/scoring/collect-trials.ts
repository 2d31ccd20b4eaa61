import { rowName, findRow } from '../../text/names.ts'
import type { IndexLine, MethodRecord, TrialLine } from '../../records.ts'
import { acceptedTexts } from '../../scorers/shared/credited.ts'
import { hashOf } from '../../text/hash.ts'
import type { Answer, Kind, Opponent, Question, ScorerInput, ScorerNeeds } from '../../types.ts'
import type { ScorerEntry } from '../prepare/scorer-entries.ts'

/** A row as a scorer may meet it as an opponent. */
export type ScoredRow = Pick<
  MethodRecord,
  'id' | 'use' | 'method' | 'variant' | 'ranks' | 'context' | 'answers' | 'inConfig'
>

/** What a scorer gets of other trials, and a digest of it: a score that was made of something else is made again. */
export interface Needed {
  readonly given: Pick<ScorerInput, 'references' | 'opponents' | 'outcome'>
  readonly digest?: string
}

export type CollectedTrials = ReturnType<typeof collectTrials>

/** The most questions that claims are made of to test judges. */
const mostQuestions = 1000

/**
 * Collects in one reading of trials.jsonl what scoring needs of all trials: `add` takes each line once, without those
 * that a later one replaces. References and answers are kept in memory only where a scorer needs them.
 */
export function collectTrials(scorers: readonly ScorerEntry[], rows: ReadonlyMap<string, ScoredRow>) {
  const needs = scorers.filter((entry) => !needsOutcome(entry)).map(needsOf)
  const keepsReferences = needs.some(({ references }) => references)
  const keepsAnswers = needs.some(({ opponents }) => opponents)
  const keepsQuestions = scorers.some(({ scorer }) => scorer.judge)
  const oracle = scorers.some(needsOutcome)
    ? [...rows.values()].find(({ use, inConfig }) => use === 'oracle' && inConfig !== false)
    : undefined
  const places = new Map<string, number>()
  const questions = new Map<string, Question>()
  const references = new Map<string, { readonly kind: Kind; readonly texts: readonly string[] }>()
  const answers = new Map<string, Map<string, Answer>>()
  const ofOracle = new Map<string, { readonly id: string; readonly answer: string }>()
  const counts = new Map<string, number>()
  const referencesOf = new Map<string, { readonly texts: readonly string[]; readonly digest: string }>()

  const referencesFor = ({ id, scorer: { kinds } }: ScorerEntry) => {
    const texts = [...references.values()].flatMap((one) => (kinds.includes(one.kind) ? one.texts : []))
    const collected = referencesOf.get(id) ?? { texts, digest: hashOf(texts) }
    referencesOf.set(id, collected)
    return collected
  }
  return {
    add(line: IndexLine | Omit<TrialLine, 'context'>): void {
      if (line.line === 'index') return
      places.set(line.id, places.size)
      const { corpus, question, answer, methodId, failure } = line
      const { reference } = question
      const key = `${corpus} ${question.id}`
      if (keepsQuestions && questions.size < mostQuestions) questions.set(key, question)
      if (keepsReferences) references.set(key, { kind: reference.kind, texts: acceptedTexts(reference) })
      if (rows.has(methodId)) {
        const count = countKey(reference.kind, failure !== undefined)
        counts.set(count, (counts.get(count) ?? 0) + 1)
      }
      if (!answer) return
      if (keepsAnswers) {
        const given = answers.get(placeOf(line)) ?? new Map<string, Answer>()
        answers.set(placeOf(line), given.set(methodId, answer))
      }
      if (oracle && methodId === oracle.id) ofOracle.set(placeOf(line), { id: line.id, answer: answer.text })
    },
    /** Places of the trials in the file, by id. */
    places,
    /** The first questions, each once. */
    questions: (): readonly Question[] => [...questions.values()],
    /** The row of the oracle, and its trial on the question and repeat of a trial. */
    oracle: { row: oracle, trialLike: (trial: TrialLine) => ofOracle.get(placeOf(trial)) },
    /** How many trials of the rows a scorer scores. */
    count: (entry: ScorerEntry): number =>
      entry.scorer.kinds.reduce((sum, kind) => {
        const failed = needsOutcome(entry) ? (counts.get(countKey(kind, true)) ?? 0) : 0
        return sum + failed + (counts.get(countKey(kind, false)) ?? 0)
      }, 0),
    /** The references and opponents that a scorer gets for a trial. */
    neededBy: (trial: TrialLine, entry: ScorerEntry): Needed => {
      const { references: needsReferences, opponents: names } = needsOf(entry)
      const collected = needsReferences ? referencesFor(entry) : undefined
      const rivals = names && opponentRows([...rows.values()], names).filter(({ id }) => id !== trial.methodId)
      const opponents = rivals?.map((row): Opponent => {
        const answer = answers.get(placeOf(trial))?.get(row.id)
        return { row: rowName(row), ...(answer && { answer }) }
      })
      if (!collected && !opponents) return { given: {} }
      return {
        given: { ...(collected && { references: collected.texts }), ...(opponents && { opponents }) },
        digest: hashOf([collected?.digest ?? null, opponents ?? null]).slice(0, 12),
      }
    },
  }
}

const countKey = (kind: Kind, isFailed: boolean): string => `${kind} ${isFailed}`

const placeOf = ({ corpus, question, repeat }: Pick<TrialLine, 'corpus' | 'question' | 'repeat'>): string =>
  JSON.stringify([corpus, question.id, repeat])

const needsOf = ({ scorer, options }: Pick<ScorerEntry, 'scorer' | 'options'>): ScorerNeeds =>
  scorer.needs?.(options) ?? {}

/** Whether a scorer is given the outcome of a trial: it scores last, and trials that failed, too. */
export const needsOutcome = (entry: Pick<ScorerEntry, 'scorer' | 'options'>): boolean => needsOf(entry).outcome === true

/** The rows that are named; or all that a table compares and the config has. */
const opponentRows = (rows: readonly ScoredRow[], named: 'all' | readonly string[]): readonly ScoredRow[] =>
  named === 'all'
    ? rows.filter(({ context, answers, inConfig }) => !context && !answers && inConfig !== false)
    : named.flatMap((name) => {
        const row = findRow(name, rows)
        return typeof row === 'string' ? [] : [row]
      })

/** What is wrong with the rows that scorers name as opponents, a line each. */
export const unknownOpponents = (
  scorers: readonly Pick<ScorerEntry, 'label' | 'scorer' | 'options'>[],
  rows: readonly Pick<ScoredRow, 'method' | 'variant'>[],
): readonly string[] =>
  scorers.flatMap((entry) => {
    const { opponents = [] } = needsOf(entry)
    const names = opponents === 'all' ? [] : opponents
    return names.flatMap((name) => {
      const row = findRow(name, rows)
      return typeof row === 'string' ? [`the scorer "${entry.label}": ${row}`] : []
    })
  })
