import { sum as sumOf } from '../../math/statistics/descriptive.ts'
import type { TrialLine } from '../../records.ts'
import { counts } from './usage.ts'

/** Means over the questions for which an agent saw a passage; its trace is that of the first passage. */
export interface AgentSummary {
  readonly questions: number
  readonly calls: number
  readonly searches: number
  readonly repeated: number
  readonly malformed: number
  readonly observedTokens: number
  readonly newPassagesPerSearch: number
  /** Questions by the reason why the agent stopped. */
  readonly stops: Readonly<Record<string, number>>
  /** Recall of the evidence among all passages seen after turn 1, 2, …; empty without evidence. */
  readonly recallByTurn: readonly number[]
  /** Recall of the evidence in the context: less, where the budget cut passages. */
  readonly contextRecall: number | null
}

/** Collects the trials of an agent; the summary is undefined for another method. */
export function agentSum() {
  const totals = { calls: 0, searches: 0, repeated: 0, malformed: 0, observedTokens: 0, passages: 0 }
  const stops = counts()
  const recalls: (readonly number[])[] = []
  const contextRecalls: number[] = []
  let questions = 0
  return {
    add({ context, beyond = [], question: { evidence = [] } }: TrialLine): void {
      const { stopped, queries, 'turns of passages': turns, ...why } = context[0]?.why ?? {}
      if (typeof stopped !== 'string' || !Array.isArray(turns) || !Array.isArray(queries)) return
      questions++
      stops.add(stopped)
      totals.searches += queries.length
      totals.passages += turns.length
      for (const field of ['calls', 'repeated', 'malformed', 'observedTokens'] as const)
        totals[field] += Number(why[field])
      if (evidence.length === 0) return
      const places = [...context, ...beyond].map(({ evidence: pieces = [] }, rank) => ({
        pieces,
        turn: Number(turns[rank]),
      }))
      const recallOf = (seenPlaces: typeof places): number =>
        new Set(seenPlaces.flatMap(({ pieces }) => pieces)).size / evidence.length
      recalls.push(queries.map((_, at) => recallOf(places.filter(({ turn }) => turn <= at + 1))))
      contextRecalls.push(recallOf(places.slice(0, context.length)))
    },
    summary(): AgentSummary | undefined {
      if (questions === 0) return undefined
      const mean = (total: number, count = questions): number => total / Math.max(1, count)
      const { passages, ...means } = totals
      const turns = Math.max(0, ...recalls.map(({ length }) => length))
      return {
        questions,
        calls: mean(means.calls),
        searches: mean(means.searches),
        repeated: mean(means.repeated),
        malformed: mean(means.malformed),
        observedTokens: mean(means.observedTokens),
        newPassagesPerSearch: mean(passages, means.searches),
        stops: stops.all(),
        // after its last search, the recall of a question stays
        recallByTurn: Array.from({ length: turns }, (_, at) =>
          mean(sumOf(recalls.map((recall) => recall[Math.min(at, recall.length - 1)] ?? 0)), recalls.length),
        ),
        contextRecall: recalls.length > 0 ? mean(sumOf(contextRecalls), recalls.length) : null,
      }
    },
  }
}
