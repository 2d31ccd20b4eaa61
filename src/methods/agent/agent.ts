import { itemAt, valueOf } from '../../basics/collections.ts'
import { rankingDepth } from '../../basics/metrics.ts'
import { ModelError } from '../../errors.ts'
import { roundRobin } from '../../math/polling.ts'
import { searchStep } from '../../tasks/search-step.ts'
import type { Index, Models, Passage, Query } from '../../types.ts'
import { addTrace } from '../shared/add-trace.ts'
import { fuseRankings, passageKey, rankConstant } from '../shared/fuse-passages.ts'
import { defineComposite, rankingOf } from '../shared/ranking-method.ts'
import { distinctPassages, tracedPassages } from '../shared/search-loop.ts'
import { agentOptions, type AgentOptions, type Episode, explore, type Stop } from './explore.ts'

/** A language model thinks, searches and answers over several turns, with another method as its search tool. */
export const agent = defineComposite({
  name: 'agent',
  summary: 'Has a language model search with another method turn by turn, and ranks the passages that it saw.',
  paper: 'Jin et al. 2025, Search-R1: Training LLMs to Reason and Leverage Search Engines with Reinforcement Learning',
  options: agentOptions,
  answers: ({ answer }) => answer === 'own',
  requires: async ({ answer }) => (answer === 'own' ? { ranks: false } : {}),
  tasks: () => [searchStep],
  async index(open, chunks, _models, options) {
    const [tool] = await open(chunks)
    // what a tool of no fixed ranking returns depends on the number of passages, such as tables beside chunks
    const depth = tool?.nested ? Math.max(options.passages, rankingDepth) : options.passages
    const turnTokens = Math.min(options.turnTokens, options.totalTokens)
    const episodeOf = (query: Query, scope: Models): Promise<Episode> => {
      const rank = async (text: string) => (tool ? rankingOf(tool, { ...query, text }, depth, scope, turnTokens) : [])
      return explore(query, rank, { ...options, turnTokens }, chunks, scope)
    }
    const ownAnswer: Pick<Index, 'isExemptFromBudget' | 'answer'> = {
      isExemptFromBudget: true,
      async answer(query, passages, scope) {
        // an agent that saw no passage has its answer in no trace; its calls are cached
        const answer = passages[0] ? passages[0].why?.[answerField] : (await episodeOf(query, scope)).answer
        if (typeof answer !== 'string') throw new ModelError('reply', 'the agent gave no answer')
        return answer
      },
    }
    return {
      // the budget does not steer the searches: passages seen beyond it count for the recall by turn
      nested: true,
      retrieve: async (query, { passages }, scope) =>
        rankEpisode(await episodeOf(query, scope), options.merge).slice(0, passages),
      ...(options.answer === 'own' && ownAnswer),
    }
  },
})

/** The answer of the agent, in the trace of the first passage. */
const answerField = 'agent answer'

/** Stops that are warnings; the others are usual. */
const warnings: Partial<Record<Stop, string>> = {
  repeated: 'the agent stopped after repeated queries',
  malformed: 'the agent stopped after malformed replies',
  failed: 'the agent stopped, because a reply could not be read or was refused',
}

/** All passages seen, best first, to be read in order of first sight; the trace of the first is that of the episode. */
function rankEpisode(episode: Episode, merge: AgentOptions['merge']): readonly Passage[] {
  const { searches, outcomes, stopped, isUnsearched, answer, calls, observedTokens } = episode
  const queries = searches.map(({ query }) => query)
  const lists = tracedPassages(searches, (place, rank) => {
    return { turn: place + 1, rank: rank + 1, query: itemAt(queries, place) }
  })
  const seen = new Map(distinctPassages(lists).map((passage, order) => [passageKey(passage), { passage, order }]))
  const keys = lists.map((list) => list.map((passage) => ({ key: passageKey(passage), score: 0 })))
  const merges = {
    turns: () => roundRobin(lists.toReversed(), passageKey),
    found: () => Array.from(seen.values(), ({ passage }) => passage),
    rrf: () =>
      fuseRankings(keys, { fusion: 'rrf', k: rankConstant, weights: [] }).map(({ key }) => valueOf(seen, key).passage),
  }
  const ranking = merges[merge]().map((passage, place): Passage => {
    const { fallback: _, ...why } = passage.why ?? {}
    return { ...passage, score: -place, order: valueOf(seen, passageKey(passage)).order, why }
  })
  const fallbacks = new Set([
    ...Array.from(seen.values(), ({ passage }) => passage.why?.['fallback']),
    warnings[stopped],
    isUnsearched ? 'the question is searched, because the agent did not search' : undefined,
  ])
  const count = (of: string): number => outcomes.filter((outcome) => outcome === of).length
  const turnOf = (passage: Passage) => Number(valueOf(seen, passageKey(passage)).passage.why?.['turn'])
  return addTrace(ranking, [...fallbacks], {
    stopped,
    calls,
    observedTokens,
    turns: outcomes.length,
    repeated: count('repeated'),
    malformed: count('malformed'),
    queries,
    'turns of passages': ranking.map(turnOf),
    ...(answer !== undefined && { [answerField]: answer }),
  })
}
