import { UserError } from '../../errors.ts'
import type { Manifest, MethodRecord, Stop, TrialLine } from '../../records.ts'
import { rowNamed, rowName } from '../../text/names.ts'
import type { Journals } from '../table/table.ts'
import type { Answer, Question } from '../../types.ts'

/** A run to compare, under the name that a person gave. `row`: the one row that is meant; all of them where it is absent. */
export interface DiffSide extends Pick<Journals, 'trials' | 'scores'> {
  readonly name: string
  readonly manifest: Manifest
  readonly row?: string
}

/** A row before and a row after. */
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
 * The named row of each run, the same name in the other where only one is named, or every row that both have, in the order of the first.
 * Throws UserError for an unknown row, with the nearest name, and for runs without a common row.
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
  const found = rowNamed(name, manifest.methods)
  if (typeof found === 'string') throw new UserError(`${run}: ${found}`)
  return found
}

/** What a row made of a question: an outcome a repeat, and why scores failed or were declined, each reason once. */
export interface QuestionTexts {
  readonly question: Question
  readonly repeats: readonly RepeatTexts[]
  readonly withoutScore: readonly string[]
}

/** Exactly one of `answer` and `failure`. */
interface RepeatTexts {
  readonly repeat: number
  /** What ended its context. */
  readonly stopped: Stop
  readonly answer?: Answer
  readonly failure?: string
}

/** Question ids by method id. */
export type Wanted = ReadonlyMap<string, ReadonlySet<string>>

/** Reads the texts of the wanted questions, and no others; trials and scores are read once more. */
export async function questionTexts(
  { manifest, trials, scores }: DiffSide,
  wanted: Wanted,
  scorer: string,
): Promise<(methodId: string, question: string) => QuestionTexts | undefined> {
  const isWanted = (methodId: string, question: string): boolean => wanted.get(methodId)?.has(question) ?? false
  const found = new Map<string, { question: Question; repeats: Map<number, RepeatTexts> }>()
  for await (const line of trials()) {
    if (line.line !== 'trial' || !isWanted(line.methodId, line.question.id)) continue
    const key = keyOf(line.methodId, line.question.id)
    const known = found.get(key) ?? { question: line.question, repeats: new Map<number, RepeatTexts>() }
    // a later line has made a failure good
    found.set(key, { ...known, repeats: known.repeats.set(line.repeat, textsOf(line)) })
  }
  const scorerId = manifest.scorers.find((one) => one.scorer === scorer)?.id
  const reasons = new Map<string, Map<string, string>>()
  for await (const { methodId, question, scorerId: by, trial, run, failure, skipped } of scores()) {
    if (by !== scorerId || !isWanted(methodId, question)) continue
    const key = keyOf(methodId, question)
    const own = reasons.get(key) ?? new Map<string, string>()
    reasons.set(key, own)
    const reason = failure?.message ?? skipped
    if (reason === undefined) own.delete(`${trial} ${run}`)
    else own.set(`${trial} ${run}`, reason)
  }
  return (methodId, question) => {
    const key = keyOf(methodId, question)
    const one = found.get(key)
    return (
      one && {
        question: one.question,
        repeats: [...one.repeats.values()].sort((a, b) => a.repeat - b.repeat),
        withoutScore: [...new Set(reasons.get(key)?.values())],
      }
    )
  }
}

const textsOf = ({ repeat, stopped, answer, failure }: TrialLine): RepeatTexts => ({
  ...{ repeat, stopped },
  ...(answer ? { answer } : { failure: failure?.message ?? '' }),
})

const keyOf = (methodId: string, question: string): string => JSON.stringify([methodId, question])
