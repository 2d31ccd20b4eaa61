import { valueOf } from '../../basics/collections.ts'
import type { IndexLine, Manifest, MeterLine, ScoreLine, TrialLine } from '../../records.ts'
import type { Kind, Phase, Usage } from '../../types.ts'
import { rowSum, type RowSummary } from './row-summary.ts'
import { addUsage } from './usage.ts'

/** Readers of the line files of a results folder. */
export interface Journals {
  readonly trials: () => AsyncIterable<IndexLine | TrialLine>
  readonly scores: () => AsyncIterable<ScoreLine>
  readonly timings: () => AsyncIterable<MeterLine>
}

/** A trial that failed and did not succeed later. */
interface FailedTrial {
  readonly methodId: string
  readonly question: string
  readonly cluster: string | undefined
  readonly kind: Kind
  readonly tags: readonly string[]
}

export interface Trials {
  /** By method id. */
  readonly rows: ReadonlyMap<string, RowSummary>
  readonly failures: readonly FailedTrial[]
  /** By method id and phase. */
  readonly usage: ReadonlyMap<string, Usage>
  /** Questions with evidence but none in any context, with their clusters; by method id. */
  readonly blind: ReadonlyMap<string, ReadonlyMap<string, string | undefined>>
  /** Pairs of rows with nearly equal contexts. */
  readonly sameContexts: readonly SameContexts[]
}

/** Two rows, by method id, with equal contexts for `same` of `of` questions. */
export interface SameContexts {
  readonly rows: readonly [string, string]
  readonly same: number
  readonly of: number
}

/** Aggregates trials.jsonl by row. A later success replaces a failure. */
export async function gatherTrials(manifest: Manifest, lines: AsyncIterable<IndexLine | TrialLine>): Promise<Trials> {
  const usage = new Map<string, Usage>()
  const addPhaseUsage = (methodId: string, phase: Phase, phaseUsage: Usage): void => {
    const key = `${methodId} ${phase}`
    usage.set(key, addUsage(usage.get(key), phaseUsage))
  }
  const sums = new Map(manifest.methods.map(({ id, context }) => [id, rowSum(context === 'none')]))
  const evidenceTracker = trackEvidence(manifest)
  const contexts = trackContexts(manifest)
  const failed = new Map<string, IndexLine | TrialLine>()
  const settle = (line: IndexLine | TrialLine): void => {
    if (line.line === 'index') addPhaseUsage(line.methodId, 'index', line.usage)
    else {
      addPhaseUsage(line.methodId, 'retrieve', line.usage.retrieve)
      addPhaseUsage(line.methodId, 'answer', line.usage.answer)
    }
    sums.get(line.methodId)?.add(line)
  }
  for await (const line of lines) {
    if (!sums.has(line.methodId)) continue
    if (line.failure) failed.set(line.id, line)
    else {
      failed.delete(line.id)
      settle(line)
      if (line.line === 'trial') {
        evidenceTracker.add(line)
        contexts.add(line)
      }
    }
  }
  const remaining = [...failed.values()]
  remaining.forEach(settle)
  const failures = remaining.flatMap((line): FailedTrial[] => {
    if (line.line === 'index') return []
    const { id: question, cluster, reference, tags = [] } = line.question
    return [{ methodId: line.methodId, question, cluster, kind: reference.kind, tags }]
  })
  const rows = new Map([...sums].map(([id, sum]) => [id, sum.summary()]))
  const contextFindings = { blind: evidenceTracker.blind(), sameContexts: contexts.matches() }
  return { rows, failures, usage, ...contextFindings }
}

/** Tracks questions without evidence in the context, for rows with a context. */
function trackEvidence({ methods }: Manifest) {
  const within = methods.filter(({ context }) => context !== 'none')
  const blindQuestions = new Map(within.map(({ id }) => [id, new Map<string, string | undefined>()]))
  const sightedQuestions = new Map(within.map(({ id }) => [id, new Set<string>()]))
  return {
    add({ methodId, question: { id, cluster }, evidence = [] }: TrialLine): void {
      const places = evidence.flatMap((place) => ('absent' in place ? [] : [place.context]))
      if (places.some((state) => state !== 'none')) sightedQuestions.get(methodId)?.add(id)
      else if (places.length > 0) blindQuestions.get(methodId)?.set(id, cluster)
    },
    blind(): Trials['blind'] {
      const unseen = (row: string) =>
        [...valueOf(blindQuestions, row)].filter(([id]) => !valueOf(sightedQuestions, row).has(id))
      return new Map(within.map(({ id }) => [id, new Map(unseen(id))]))
    },
  }
}

/** Two rows count as giving the same contexts from this share and number of questions on. */
const minShare = 0.95
const minQuestions = 5

/** Compares contexts of rows within the budget by one hash per question. */
function trackContexts({ methods }: Manifest) {
  const questions = new Map<string, number>()
  const rows = new Map(
    methods.flatMap(({ id, context }) => (context === undefined ? [[id, [] as number[]] as const] : [])),
  )
  return {
    add({ methodId, corpus, repeat, question, context }: TrialLine): void {
      const row = rows.get(methodId)
      if (!row || rows.size < 2 || context.length === 0) return
      const key = `${corpus}\n${repeat}\n${question.id}`
      const at = questions.get(key) ?? questions.size
      questions.set(key, at)
      row[at] = hash32(context.map(({ from, text }) => `${from.join(' ')} ${text.length}`).join('\n'))
    },
    matches(): readonly SameContexts[] {
      const ids = [...rows.keys()]
      return ids.flatMap((a, index) =>
        ids.slice(index + 1).flatMap((b) => {
          const [first, second] = [valueOf(rows, a), valueOf(rows, b)]
          const matches = first.flatMap((hash, at) => (second[at] === undefined ? [] : [hash === second[at]]))
          const sameCount = matches.filter(Boolean).length
          return matches.length >= minQuestions && sameCount >= minShare * matches.length
            ? [{ rows: [a, b], same: sameCount, of: matches.length }]
            : []
        }),
      )
    },
  }
}

/** FNV-1a. */
function hash32(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash
}
