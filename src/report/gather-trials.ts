import type { IndexLine, Manifest, TrialLine } from '../records.ts'
import type { Kind, Phase, Usage } from '../types.ts'
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
  const sums = new Map(
    manifest.methods.map(({ id }) => [id, { trials: 0, canned: 0, unreadable: 0, passages: 0, tokens: 0 }]),
  )
  const failed = new Map<string, IndexLine | TrialLine>()
  const settle = (line: IndexLine | TrialLine): void => {
    if (line.line === 'index') {
      spend(line.contestant, 'index', line.usage)
      return
    }
    spend(line.contestant, 'retrieve', line.usage.retrieve)
    spend(line.contestant, 'answer', line.usage.answer)
    const sum = sums.get(line.contestant)
    if (!sum || !line.answer) return
    sum.trials++
    if (line.answer.canned) sum.canned++
    else if (line.answer.choice === null) sum.unreadable++
    sum.passages += line.context.length
    sum.tokens += line.context.reduce((total, passage) => total + passage.tokens, 0)
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
  const rows = new Map(
    [...sums].map(([id, sum]) => {
      const lost = failures.filter(({ contestant }) => contestant === id).length
      const mean = (total: number): number | null => (sum.trials === 0 ? null : total / sum.trials)
      return [
        id,
        {
          trials: sum.trials + lost,
          failed: lost,
          canned: sum.canned,
          unreadable: sum.unreadable,
          passages: mean(sum.passages),
          contextTokens: mean(sum.tokens),
        },
      ]
    }),
  )
  return { rows, failures, usage }
}
