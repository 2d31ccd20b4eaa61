import { seedFrom } from '../../math/random.ts'
import type { IndexLine, Manifest, MeterLine, ScoreLine, TrialLine } from '../../records.ts'
import { rowSum } from './row-summary.ts'
import { usageSums } from './usage.ts'

/** Readers of the line files of a results folder. */
export interface Journals {
  readonly trials: () => AsyncIterable<IndexLine | TrialLine>
  readonly scores: () => AsyncIterable<ScoreLine>
  readonly timings: () => AsyncIterable<MeterLine>
}

/** Trials by row. */
export type Trials = Awaited<ReturnType<typeof gatherTrials>>

/** Lines of which a later success replaces a failure; failures that remain come last. */
export async function* settled<L extends { readonly failure?: unknown }>(
  lines: AsyncIterable<L>,
  keyOf: (line: L) => string,
): AsyncGenerator<L> {
  const failed = new Map<string, L>()
  for await (const line of lines) {
    if (line.failure) failed.set(keyOf(line), line)
    else {
      failed.delete(keyOf(line))
      yield line
    }
  }
  yield* failed.values()
}

/** Aggregates trials.jsonl by row. */
export async function gatherTrials(manifest: Manifest, lines: AsyncIterable<IndexLine | TrialLine>) {
  const usage = usageSums()
  const sums = new Map(manifest.methods.map(({ id }) => [id, rowSum()]))
  const contexts = contextHashes(manifest)
  const failures: Pick<TrialLine, 'methodId' | 'question'>[] = []
  for await (const line of settled(lines, ({ id }) => id)) {
    const { methodId } = line
    const sum = sums.get(methodId)
    if (!sum) continue
    sum.add(line)
    if (line.line === 'index') {
      usage.add(methodId, 'index', line.usage)
      continue
    }
    usage.add(methodId, 'retrieve', line.usage.retrieve)
    usage.add(methodId, 'answer', line.usage.answer)
    if (line.failure) failures.push({ methodId, question: line.question })
    else contexts.add(line)
  }
  return {
    // by method id
    rows: new Map([...sums].map(([id, sum]) => [id, sum.summary()])),
    // trials that failed and did not succeed later
    failures,
    usage: usage.of,
    // pairs of rows, by method id, with equal contexts for `same` of `of` questions
    sameContexts: contexts.matches(),
  }
}

/** Two rows count as giving the same contexts from this share and number of questions on. */
const minShare = 0.95
const minQuestions = 5

/** Compares contexts of rows within the budget by one hash per question. */
function contextHashes({ methods }: Manifest) {
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
      const parts = context.flatMap(({ from, text }) => [...from, text.length])
      row[at] = seedFrom(...parts)
    },
    matches() {
      return [...rows].flatMap(([a, first], index) =>
        [...rows].slice(index + 1).flatMap(([b, second]) => {
          const sharedCount = first.filter((_, at) => second[at] !== undefined).length
          const sameCount = first.filter((hash, at) => second[at] === hash).length
          return sharedCount >= minQuestions && sameCount >= minShare * sharedCount
            ? [{ rows: [a, b] as const, same: sameCount, of: sharedCount }]
            : []
        }),
      )
    },
  }
}
