import { addExpected, exactly, noCalls, taskCalls, timesUsage } from '../../math/expected.ts'
import type { Row } from '../../records.ts'
import { hashOf } from '../../text/hash.ts'
import { tokenizer } from '../../text/tokens.ts'
import type { ExpectedUsage, Phase, Question } from '../../types.ts'
import { chunkCorpus } from '../asking/chunk-corpus.ts'
import { distinctEntries } from '../prepare/method-entries.ts'
import type { Prepared } from '../prepare/prepare.ts'
import type { ScorerEntry } from '../prepare/scorer-entries.ts'
import { claimsOf, mostQuestions } from '../scoring/test-judges.ts'
import { expectedCalls } from './expected-calls.ts'

/** What a row is expected to cost in each phase; undefined where that is not known. */
type ByPhase = Readonly<Record<Phase, ExpectedUsage | undefined>>

/** What a run is expected to cost, as far as it can be worked out from the config and the dataset. */
export interface ExpectedRun {
  /** Every row as if it made all its calls; `own` leaves out what an earlier row makes as well. */
  readonly rows: readonly (Row & { readonly phases: ByPhase; readonly own: Readonly<Record<Phase, ExpectedUsage>> })[]
  /** All rows together, by phase and in all: calls that they share are made once, and what is not known is left out. */
  readonly together: Readonly<Record<Phase | 'all', ExpectedUsage>>
  /** Calls that are made at the same time at most, in each phase. */
  readonly atOnce: Readonly<Record<Phase, ReturnType<Prepared['models']['atOnce']>>>
}

/** Chunks the dataset and adds up what a run is expected to ask of models. Nothing is asked. */
export async function expectedRun(prepared: Prepared): Promise<ExpectedRun> {
  const { plan, methods, scorers, corpora } = prepared
  const rows = new Map<string, Record<Phase, ExpectedUsage | undefined>>()
  const together = { ...nothing }
  const owns = new Map<string, Record<Phase, ExpectedUsage>>()
  const questions: Question[] = []
  for await (const corpus of corpora()) {
    questions.push(...corpus.questions.slice(0, mostQuestions - questions.length))
    const chunked = chunkCorpus(corpus, plan.chunks)
    const shared = new Set<string>()
    for (const entry of distinctEntries(methods)) {
      const row = rows.get(entry.id) ?? { ...nothing }
      const expected = expectedCalls(entry, chunked, prepared)
      const own = owns.get(entry.id) ?? { ...nothing }
      for (const phase of phases) {
        const calls = expected[phase]?.map((one) => within(prepared.models.longestReply(phase), one))
        const before = row[phase]
        const times = phase !== 'index' || (expected.drawsAtIndex && plan.indexPerRepeat) ? plan.repeats : 1
        row[phase] = calls && before && addExpected([before, ...calls.map((one) => timesUsage(one, times))])
        for (const { once, ...usage } of calls ?? []) {
          if (once !== undefined && shared.has(once)) continue
          // a judge is asked anew for each repeat
          const made = timesUsage(usage, once === undefined || phase === 'judge' ? times : 1)
          together[phase] = addExpected([together[phase], made])
          own[phase] = addExpected([own[phase], made])
          if (once !== undefined) shared.add(once)
        }
      }
      rows.set(entry.id, row)
      owns.set(entry.id, own)
    }
  }
  together.judge = addExpected([
    together.judge,
    within(prepared.models.longestReply('judge'), judgeTests(scorers, questions, plan.chunks.tokenizer)),
  ])
  return {
    rows: methods.map(({ id, row }, place) => {
      // rows that differ in their labels alone make their calls once
      const isFirst = methods.findIndex((other) => other.id === id) === place
      return { ...row, phases: rows.get(id) ?? nothing, own: (isFirst ? owns.get(id) : undefined) ?? nothing }
    }),
    together: { ...together, all: addExpected(Object.values(together)) },
    atOnce: {
      index: prepared.models.atOnce('index'),
      retrieve: atMost(prepared.models.atOnce('retrieve'), plan.concurrency),
      answer: atMost(prepared.models.atOnce('answer'), plan.concurrency),
      judge: atMost(prepared.models.atOnce('judge'), plan.concurrency),
    },
  }
}

/** A question, or an answer to be judged, mostly waits for one call at a time. */
const atMost = ({ complete, embed }: ReturnType<Prepared['models']['atOnce']>, questions: number) => ({
  complete: Math.min(complete, questions),
  embed: Math.min(embed, questions),
})

/** The claims that judges are tried on before they score, each once. */
function judgeTests(
  scorers: readonly ScorerEntry[],
  questions: readonly Question[],
  tokens: Parameters<typeof tokenizer>[0],
): ExpectedUsage {
  const countTokens = (text: string): number => tokenizer(tokens).count(text)
  const claims = scorers.flatMap((entry) => claimsOf(entry, questions))
  const distinct = new Map(claims.map(({ task, input }) => [hashOf({ name: task.name, input }), { task, input }]))
  const asked = { calls: exactly(1), texts: exactly(0), reply: { low: 5, expected: 30, high: 120 } }
  return addExpected([...distinct.values()].map(({ task, input }) => taskCalls(task, input, asked, countTokens)))
}

/** Calls whose replies have no more tokens than the model is allowed. */
function within<T extends ExpectedUsage>(longest: number | undefined, usage: T): T {
  if (longest === undefined) return usage
  const { calls, completionTokens: tokens } = usage
  const most = (of: 'low' | 'expected' | 'high'): number => Math.min(tokens[of], longest * calls[of])
  return { ...usage, completionTokens: { low: most('low'), expected: most('expected'), high: most('high') } }
}

const nothing = { index: noCalls, retrieve: noCalls, answer: noCalls, judge: noCalls }

export const phases: readonly Phase[] = ['index', 'retrieve', 'answer', 'judge']
