import type { Stop, TrialLine } from '../../records.ts'
import type { Answer, Question } from '../../types.ts'
import type { DiffSide } from './pair-rows.ts'

/** What a row made of a question: an outcome a repeat, and why scores failed or were declined, each reason once. */
export interface QuestionTexts {
  readonly question: Question
  readonly repeats: readonly RepeatTexts[]
  readonly withoutScore: readonly string[]
}

/** Exactly one of `answer` and `failure`. */
export interface RepeatTexts {
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
