import { itemAt, valueOf } from '../../basics/collections.ts'
import { rankingDepth } from '../../basics/metrics.ts'
import { defineMethod } from '../../define.ts'
import { ModelError } from '../../errors.ts'
import { roundRobin } from '../../math/polling.ts'
import { searchStep } from '../../tasks/search-step.ts'
import type { Method, Models, Part, Passage, Query } from '../../types.ts'
import { addTrace } from '../shared/add-trace.ts'
import { fuseRankings, passageKey, rankConstant } from '../shared/fuse-passages.ts'
import { combinedLifecycle, indexesOf, rankingOf, tasksWith } from '../shared/ranking-method.ts'
import { distinctPassages, tracedPassages } from '../shared/search-loop.ts'
import { agentOptions, type AgentOptions, type Episode, explore } from './explore.ts'

const over = (parts: readonly Part[]): Pick<Method<AgentOptions>, 'tasks' | 'index'> => ({
  tasks: () => tasksWith([searchStep], parts),
  async index(chunks, models, options) {
    const indexes = await indexesOf(parts, chunks, models)
    const [tool] = indexes
    // what a tool of no fixed ranking returns depends on the number of passages, such as tables beside chunks
    const depth = tool?.nested ? Math.max(options.passages, rankingDepth) : options.passages
    const turnTokens = Math.min(options.turnTokens, options.totalTokens)
    const episodeOf = (query: Query, scope: Models): Promise<Episode> => {
      const rank = async (text: string) => (tool ? rankingOf(tool, { ...query, text }, depth, scope, turnTokens) : [])
      return explore(query, rank, { ...options, turnTokens }, chunks, scope)
    }
    const ownAnswer = {
      isExemptFromBudget: true,
      async answer(query: Query, passages: readonly Passage[], scope: Models) {
        // an agent that saw no passage has its answer in no trace; its calls are cached
        const answer = passages[0] ? passages[0].why?.[answerField] : (await episodeOf(query, scope)).answer
        if (typeof answer !== 'string') throw new ModelError('reply', 'the agent gave no answer')
        return answer
      },
    } as const
    return {
      ...combinedLifecycle(indexes),
      stats: () => tool?.stats?.() ?? {},
      warnings: () => tool?.warnings?.() ?? {},
      // the budget does not steer the searches: passages seen beyond it count for the recall by turn
      nested: true,
      async retrieve(query, { passages }, scope) {
        return rankEpisode(await episodeOf(query, scope), options.merge).slice(0, passages)
      },
      ...(options.answer === 'own' && ownAnswer),
    }
  },
})

/** A language model thinks, searches and answers over several turns, with another method as its search tool. */
export const agent = defineMethod({
  name: 'agent',
  summary: 'Has a language model search with another method turn by turn, and ranks the passages that it saw.',
  paper: 'Jin et al. 2025, Search-R1: Training LLMs to Reason and Leverage Search Engines with Reinforcement Learning',
  options: agentOptions,
  answers: ({ answer }) => answer === 'own',
  requires: async ({ answer }) => (answer === 'own' ? { ranks: false } : {}),
  ...over([]),
  over,
})

/** The answer of the agent, in the trace of the first passage. */
const answerField = 'agent answer'

/** Stops that are warnings; the others are usual. */
const warnings: Partial<Record<Episode['stopped'], string>> = {
  repeated: 'the agent stopped after repeated queries',
  malformed: 'the agent stopped after malformed replies',
  failed: 'the agent stopped, because a reply could not be read or was refused',
}

/** All passages seen, best first, to be read in order of first sight; the trace of the first is that of the episode. */
function rankEpisode(episode: Episode, merge: AgentOptions['merge']): readonly Passage[] {
  const { searches, outcomes, stopped, isUnsearched, answer, calls, observedTokens } = episode
  const queries = searches.map(({ query }) => query)
  const lists = tracedPassages(searches, (place, rank) => ({
    turn: place + 1,
    rank: rank + 1,
    query: itemAt(queries, place),
  }))
  const passages = distinctPassages(lists)
  const orderOf = new Map(passages.map((passage, order) => [passageKey(passage), order]))
  const firstSight = (key: string): Passage => itemAt(passages, valueOf(orderOf, key))
  const merges = {
    turns: () => roundRobin(lists.toReversed(), passageKey),
    found: () => passages,
    rrf: () =>
      fuseRankings(
        lists.map((list) => list.map((passage) => ({ key: passageKey(passage), score: 0 }))),
        { fusion: 'rrf', k: rankConstant, weights: [] },
      ).map(({ key }) => firstSight(key)),
  }
  const ranking = merges[merge]().map((passage, place): Passage => {
    const { fallback: _, ...why } = passage.why ?? {}
    return { ...passage, score: -place, order: valueOf(orderOf, passageKey(passage)), why }
  })
  const fallbacks = new Set([
    ...passages.map(({ why }) => why?.['fallback']),
    warnings[stopped],
    isUnsearched ? 'the question is searched, because the agent did not search' : undefined,
  ])
  return addTrace(ranking, [...fallbacks], {
    stopped,
    calls,
    observedTokens,
    turns: outcomes.length,
    repeated: outcomes.filter((outcome) => outcome === 'repeated').length,
    malformed: outcomes.filter((outcome) => outcome === 'malformed').length,
    queries,
    'turns of passages': ranking.map((passage) => Number(firstSight(passageKey(passage)).why?.['turn'])),
    ...(answer !== undefined && { [answerField]: answer }),
  })
}
