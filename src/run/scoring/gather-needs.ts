import { valueOf } from '../../basics/collections.ts'
import { rowName, rowNamed } from '../../text/names.ts'
import type { IndexLine, MethodRecord, TrialLine } from '../../records.ts'
import { acceptedTexts } from '../../scorers/shared/credited.ts'
import { hashOf } from '../../text/hash.ts'
import type { Answer, Kind, Opponent, ScorerInput, ScorerNeeds } from '../../types.ts'
import type { ScorerEntry } from '../prepare/scorer-entries.ts'

/** A row as a scorer may meet it as an opponent. */
export type ScoredRow = Pick<
  MethodRecord,
  'id' | 'use' | 'method' | 'variant' | 'ranks' | 'context' | 'answers' | 'inConfig'
>

/** What a scorer gets of other trials, and a digest of it: a score that was made of something else is made anew. */
export interface Needed {
  readonly given: Pick<ScorerInput, 'references' | 'opponents' | 'outcome'>
  readonly digest?: string
}

const needsOf = ({ scorer, options }: Pick<ScorerEntry, 'scorer' | 'options'>): ScorerNeeds =>
  scorer.needs?.(options) ?? {}

/** Reads trials.jsonl once where a scorer needs references or answers of other rows; answers are kept in memory. */
export async function gatherNeeds(
  trials: AsyncIterable<IndexLine | TrialLine>,
  scorers: readonly ScorerEntry[],
  rows: ReadonlyMap<string, ScoredRow>,
): Promise<(trial: TrialLine, entry: ScorerEntry) => Needed> {
  const needs = new Map(scorers.map((entry) => [entry.id, needsOf(entry)]))
  const wanted = [...needs.values()].some(({ references, opponents }) => references || opponents)
  if (!wanted) return () => ({ given: {} })
  const references = new Map<string, { readonly kind: Kind; readonly texts: readonly string[] }>()
  const answers = new Map<string, Map<string, Answer>>()
  for await (const trial of trials) {
    if (trial.line !== 'trial') continue
    const { reference, id } = trial.question
    references.set(`${trial.corpus} ${id}`, { kind: reference.kind, texts: acceptedTexts(reference) })
    if (!trial.answer) continue
    const given = answers.get(placeOf(trial)) ?? new Map<string, Answer>()
    answers.set(placeOf(trial), given.set(trial.methodId, trial.answer))
  }
  const referencesOf = new Map(
    scorers.map(({ id, scorer: { kinds } }) => {
      const texts = [...references.values()].flatMap((one) => (kinds.includes(one.kind) ? one.texts : []))
      return [id, { texts, digest: hashOf(texts) }] as const
    }),
  )
  const all = [...rows.values()]
  return (trial, { id }) => {
    const { references: needsReferences, opponents: named } = valueOf(needs, id)
    const known = needsReferences ? referencesOf.get(id) : undefined
    const others = named && opponentRows(all, named).filter((row) => row.id !== trial.methodId)
    const opponents = others?.map((row): Opponent => {
      const answer = answers.get(placeOf(trial))?.get(row.id)
      return { row: rowName(row), ...(answer && { answer }) }
    })
    if (!known && !opponents) return { given: {} }
    return {
      given: { ...(known && { references: known.texts }), ...(opponents && { opponents }) },
      digest: hashOf([known?.digest ?? null, opponents ?? null]).slice(0, 12),
    }
  }
}

const placeOf = ({ corpus, question, repeat }: TrialLine): string => JSON.stringify([corpus, question.id, repeat])

/** The rows that are named; or all that a table compares and the config has. */
const opponentRows = <R extends ScoredRow>(rows: readonly R[], named: 'all' | readonly string[]): readonly R[] =>
  named === 'all'
    ? rows.filter(({ context, answers, inConfig }) => !context && !answers && inConfig !== false)
    : named.flatMap((name) => {
        const found = rowNamed(name, rows)
        return typeof found === 'string' ? [] : [found]
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
      const found = rowNamed(name, rows)
      return typeof found === 'string' ? [`the scorer "${entry.label}": ${found}`] : []
    })
  })

/** Whether a scorer is given what became of a trial: it is asked last, and of trials that failed, too. */
export const needsOutcome = (entry: Pick<ScorerEntry, 'scorer' | 'options'>): boolean => needsOf(entry).outcome === true
