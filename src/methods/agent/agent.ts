import { itemAt, valueOf } from '../../basics/collections.ts'
import { rankingDepth } from '../../basics/metrics.ts'
import { defineMethod } from '../../define.ts'
import { ModelError } from '../../errors.ts'
import { roundRobin } from '../../math/polling.ts'
import { searchStep } from '../../tasks/search-step.ts'
import type { Method, Models, Part, Passage, Query } from '../../types.ts'
import { addTrace } from '../shared/add-trace.ts'
import { fuseRankings, rankConstant } from '../shared/fuse-passages.ts'
import { combinedLifecycle, indexesOf, rankingOf, tasksWith } from '../shared/ranking-method.ts'
import { findingKey, findingsOf, inOrderOfFirstSight } from '../shared/search-loop.ts'
import { type Episode, explore } from './explore.ts'
import { createObserver } from './observe.ts'
import { agentOptions, type AgentOptions } from './options.ts'

const over = (parts: readonly Part[]): Pick<Method<AgentOptions>, 'tasks' | 'index'> => ({
  tasks: () => tasksWith([searchStep], parts),
  async index(chunks, models, options) {
    const indexes = await indexesOf(parts, chunks, models)
    const [index] = indexes
    const isOwn = options.answer === 'own'
    const depth = Math.max(options.passages, rankingDepth)
    const limit = Math.min(options.turnTokens, options.totalTokens)
    const exploreWith = (query: Query, scope: Models): Promise<Episode> => {
      const rank = async (text: string) => (index ? rankingOf(index, { ...query, text }, depth, scope, limit) : [])
      const observe = createObserver(chunks, limit, (text) => scope.countTokens(text))
      return explore(query, rank, observe, options, scope)
    }
    return {
      ...combinedLifecycle(indexes),
      ...(isOwn && { isExemptFromBudget: true as const }),
      stats: () => index?.stats?.() ?? {},
      warnings: () => index?.warnings?.() ?? {},
      async retrieve(query, budget, scope) {
        const passages = rankEpisode(await exploreWith(query, scope), options.merge)
        return passages.slice(0, budget.passages)
      },
      ...(isOwn && {
        async answer(query, passages, scope) {
          // an agent that saw no passage has its answer in no trace; its calls are cached
          const answer =
            passages[0]?.why?.[answerField] ?? (passages[0] ? '' : (await exploreWith(query, scope)).answer)
          if (typeof answer !== 'string' || answer === '') throw new ModelError('reply', 'the agent gave no answer')
          return answer
        },
      }),
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

/** The passages of all searches, best first, to be read in order of first sight; the first has the trace. */
function rankEpisode(episode: Episode, merge: AgentOptions['merge']): readonly Passage[] {
  const { searches, outcomes, stopped, isUnsearched, answer, calls, observedTokens } = episode
  const findings = findingsOf(searches, (place, rank) => ({
    turn: place + 1,
    rank: rank + 1,
    query: itemAt(searches, place).query,
  }))
  const seen = inOrderOfFirstSight(findings)
  const firstSight = new Map(seen.map((finding, order) => [findingKey(finding), { finding, order }]))
  const rrf = () =>
    fuseRankings(
      findings.map((list) => list.map((finding) => ({ key: findingKey(finding), score: 0 }))),
      { fusion: 'rrf', k: rankConstant, weights: [] },
    ).map(({ key }) => valueOf(firstSight, key).finding)
  const mergedFindings = { turns: () => roundRobin(findings.toReversed(), findingKey), found: () => seen, rrf }[merge]()
  const ranking = mergedFindings.map((finding, place): Passage => {
    const { fallback: _, ...inner } = finding.passage.why ?? {}
    const { order } = valueOf(firstSight, findingKey(finding))
    return { ...finding.passage, score: -place, order, why: { ...inner, ...finding.why } }
  })
  const fallbacks = new Set([
    ...seen.map(({ passage }) => passage.why?.['fallback']),
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
    queries: searches.map(({ query }) => query),
    'turns of passages': mergedFindings.map((finding) =>
      Number(valueOf(firstSight, findingKey(finding)).finding.why['turn']),
    ),
    ...(answer !== undefined && { [answerField]: answer }),
  })
}
