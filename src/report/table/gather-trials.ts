import type { IndexLine, Manifest, TrialLine } from '../records.ts'
import type { Kind, Phase, Usage } from '../types.ts'
import { counts } from './counts.ts'
import { addUsage } from './usage.ts'

/** What a row's trials were like, whatever the scores. */
export interface RowFacts {
  readonly trials: number
  readonly failed: number
  /** Answered without a call, since nothing was retrieved or the first passage alone exceeded the budget. */
  readonly canned: number
  /** Multiple-choice replies that named no option. */
  readonly unreadable: number
  /** Means over the answered trials; null where there is none. */
  readonly passages: number | null
  readonly contextTokens: number | null
  /** What its indexes lost, by the method's words. */
  readonly losses: Readonly<Record<string, number>>
  /** Trials that were answered otherwise than the method intends, by its reason. */
  readonly fallbacks: Readonly<Record<string, number>>
  /** Calls at the index as the method's paper counts them; null where it counts as we do. */
  readonly paperCalls: number | null
}

/** A trial that failed and was not made good later. */
export interface FailedTrial {
  readonly contestant: string
  readonly kind: Kind
  readonly tags: readonly string[]
}

export interface Trials {
  /** By contestant. */
  readonly rows: ReadonlyMap<string, RowFacts>
  readonly failures: readonly FailedTrial[]
  /** By contestant and phase. */
  readonly usage: ReadonlyMap<string, Usage>
}

/** Adds up the lines of trials.jsonl that belong to a row of the manifest. A failure counts unless a later line made it good. */
export async function gatherTrials(manifest: Manifest, lines: AsyncIterable<IndexLine | TrialLine>): Promise<Trials> {
  const usage = new Map<string, Usage>()
  const spend = (contestant: string, phase: Phase, used: Usage): void => {
    const key = `${contestant} ${phase}`
    usage.set(key, addUsage(usage.get(key), used))
  }
  const sums = new Map(manifest.methods.map(({ id }) => [id, rowSum()]))
  const failed = new Map<string, IndexLine | TrialLine>()
  const settle = (line: IndexLine | TrialLine): void => {
    if (line.line === 'index') spend(line.contestant, 'index', line.usage)
    else {
      spend(line.contestant, 'retrieve', line.usage.retrieve)
      spend(line.contestant, 'answer', line.usage.answer)
    }
    sums.get(line.contestant)?.add(line)
  }
  for await (const line of lines) {
    if (!sums.has(line.contestant)) continue
    if (line.failure) failed.set(line.id, line)
    else {
      failed.delete(line.id)
      settle(line)
    }
  }
  const remaining = [...failed.values()]
  remaining.forEach(settle)
  const failures = remaining.flatMap((line) =>
    line.line === 'index'
      ? []
      : [{ contestant: line.contestant, kind: line.question.reference.kind, tags: line.question.tags ?? [] }],
  )
  return { rows: new Map([...sums].map(([id, sum]) => [id, sum.facts()])), failures, usage }
}

interface RowSum {
  add(line: IndexLine | TrialLine): void
  facts(): RowFacts
}

/** The lines of one row, added up as they come. */
function rowSum(): RowSum {
  const sum = { trials: 0, failed: 0, canned: 0, unreadable: 0, passages: 0, tokens: 0 }
  const losses = counts()
  const fallbacks = counts()
  let paperCalls: number | null = null
  const addIndex = ({ losses: lost = {}, stats }: IndexLine): void => {
    for (const [words, count] of Object.entries(lost)) losses.add(words, count)
    const calls = stats?.['paperCalls']
    if (typeof calls === 'number') paperCalls = (paperCalls ?? 0) + calls
  }
  const addTrial = ({ context, answer }: TrialLine): void => {
    sum.trials++
    const fallback = context[0]?.why?.['fallback']
    if (typeof fallback === 'string') fallbacks.add(fallback)
    if (!answer) {
      sum.failed++
      return
    }
    if (answer.canned) sum.canned++
    else if (answer.choice === null) sum.unreadable++
    sum.passages += context.length
    sum.tokens += context.reduce((total, passage) => total + passage.tokens, 0)
  }
  return {
    add: (line) => (line.line === 'index' ? addIndex(line) : addTrial(line)),
    facts() {
      const { passages, tokens, ...kept } = sum
      const answered = sum.trials - sum.failed
      const mean = (total: number): number | null => (answered === 0 ? null : total / answered)
      return {
        ...kept,
        passages: mean(passages),
        contextTokens: mean(tokens),
        losses: losses.all(),
        fallbacks: fallbacks.all(),
        paperCalls,
      }
    },
  }
}

/** Of a row without lines. */
export const noFacts: RowFacts = rowSum().facts()
