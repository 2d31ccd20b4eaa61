import { sum as sumOf } from '../../math/statistics/descriptive.ts'
import type { TrialLine } from '../../records.ts'
import { counts } from './usage.ts'

/** Means over the questions for which an agent saw a passage; its trace is that of the first passage. */
export type AgentSummary = NonNullable<ReturnType<ReturnType<typeof agentSum>['summary']>>

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
    summary() {
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
        // questions by the reason why the agent stopped
        stops: stops.all(),
        // recall of the evidence among all passages seen after turn 1, 2, …; it stays after the last search
        recallByTurn: Array.from({ length: turns }, (_, at) =>
          mean(sumOf(recalls.map((recall) => recall[Math.min(at, recall.length - 1)] ?? 0)), recalls.length),
        ),
        // less, where the budget cut passages
        contextRecall: recalls.length > 0 ? mean(sumOf(contextRecalls), recalls.length) : null,
      }
    },
  }
}
