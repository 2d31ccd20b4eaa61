import { mean } from '../../math/statistics/descriptive.ts'
import type { TrialLine } from '../../records.ts'
import { counts } from './usage.ts'

/** Means over the questions for which an agent saw a passage; its trace is that of the first passage. */
export type AgentSummary = NonNullable<ReturnType<ReturnType<typeof agentSum>['summary']>>

/** Collects the trials of an agent; the summary is undefined for another method. */
export function agentSum() {
  let totals = { questions: 0, calls: 0, searches: 0, repeated: 0, malformed: 0, observedTokens: 0, passages: 0 }
  const stops = counts()
  const recalls: { readonly byTurn: readonly number[]; readonly inContext: number }[] = []
  return {
    add({ context, beyond = [], question: { evidence = [] } }: TrialLine): void {
      const { stopped, queries, 'turns of passages': turns, ...why } = context[0]?.why ?? {}
      if (typeof stopped !== 'string' || !Array.isArray(turns) || !Array.isArray(queries)) return
      stops.add(stopped)
      totals = {
        questions: totals.questions + 1,
        calls: totals.calls + Number(why['calls']),
        searches: totals.searches + queries.length,
        repeated: totals.repeated + Number(why['repeated']),
        malformed: totals.malformed + Number(why['malformed']),
        observedTokens: totals.observedTokens + Number(why['observedTokens']),
        passages: totals.passages + turns.length,
      }
      if (evidence.length === 0) return
      const places = [...context, ...beyond]
      const recallOf = (isCounted: (rank: number) => boolean): number =>
        new Set(places.filter((_, rank) => isCounted(rank)).flatMap(({ evidence: pieces = [] }) => pieces)).size /
        evidence.length
      recalls.push({
        byTurn: queries.map((_, at) => recallOf((rank) => Number(turns[rank]) <= at + 1)),
        inContext: recallOf((rank) => rank < context.length),
      })
    },
    summary() {
      const { questions, searches, passages } = totals
      if (questions === 0) return undefined
      const turns = Math.max(0, ...recalls.map(({ byTurn }) => byTurn.length))
      return {
        questions,
        calls: totals.calls / questions,
        searches: searches / questions,
        repeated: totals.repeated / questions,
        malformed: totals.malformed / questions,
        observedTokens: totals.observedTokens / questions,
        newPassagesPerSearch: passages / Math.max(1, searches),
        // questions by the reason why the agent stopped
        stops: stops.all(),
        // recall of the evidence among all passages seen after turn 1, 2, …; it stays after the last search
        recallByTurn: Array.from({ length: turns }, (_, at) =>
          mean(recalls.map(({ byTurn }) => byTurn[Math.min(at, byTurn.length - 1)] ?? 0)),
        ),
        // less, where the budget cut passages
        contextRecall: recalls.length > 0 ? mean(recalls.map(({ inContext }) => inContext)) : null,
      }
    },
  }
}
