import { itemAt } from '../../basics/collections.ts'
import { rankingDepth } from '../../basics/metrics.ts'
import { ModelError } from '../../errors.ts'
import { roundRobin } from '../../math/polling.ts'
import { searchStep, type AgentTurn, readSearchStep } from '../../tasks/search-step.ts'
import type { Chunk, Models, Passage, Query } from '../../types.ts'
import { addTrace } from '../shared/add-trace.ts'
import { fuseRankings, passageKey, rankConstant } from '../shared/fuse-passages.ts'
import { defineComposite, rankingOf, methodOption } from '../shared/ranking-method.ts'
import { distinctPassages, searchByTurns, type Turns } from '../shared/search-loop.ts'
import { z } from 'zod'
import { lettersOf } from '../../text/characters.ts'
import { attempt } from '../shared/attempt.ts'
import { longestStart } from '../shared/longest-start.ts'
import { choice, wholeNumber } from '../shared/options.ts'

const agentOptions = z.strictObject({
  of: methodOption('bm25', 'The method that is the search tool: a name, a file, or an entry with options'),
  turns: wholeNumber(1, 4, 'Maximum searches for a question; repeated and malformed ones count (our reading)'),
  passages: wholeNumber(1, 3, 'Passages that a search shows (Search-R1)'),
  turnTokens: wholeNumber(1, 1000, 'Maximum tokens of the passages that a search shows (our reading)'),
  totalTokens: wholeNumber(1, 4000, 'Maximum tokens of all passages shown, each counted once (our reading)'),
  first: choice(['model', 'question'], 'Who writes the first query; question: it is the question, without a call'),
  merge: choice(
    ['turns', 'found', 'rrf'],
    'Ranking of all passages. turns: interleaved by rank, the latest search first; found: by first sight, as ircot; rrf: by reciprocal ranks (our reading)',
  ),
  answer: choice(
    ['run', 'own'],
    "run: the run's answerer, from the passages within the budget; own: the agent, from all passages that it saw, exempt from the budget: its row is marked and not compared",
  ),
})

type AgentOptions = z.output<typeof agentOptions>

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
    return {
      // the budget does not steer the searches: passages seen beyond it count for the recall by turn
      nested: true,
      retrieve: async (query, { passages }, scope) =>
        rankEpisode(await episodeOf(query, scope), options.merge).slice(0, passages),
      ...(options.answer === 'own' && {
        isExemptFromBudget: true,
        async answer(query, passages, scope) {
          // an agent that saw no passage has its answer in no trace; its calls are cached
          const answer = passages[0] ? passages[0].why?.[answerField] : (await episodeOf(query, scope)).answer
          if (typeof answer !== 'string') throw new ModelError('reply', 'the agent gave no answer')
          return answer
        },
      }),
    }
  },
})

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
  const lists = searches.map(({ passages }) => passages)
  const inOrder = distinctPassages(lists)
  const merges = {
    turns: () => roundRobin(lists.toReversed(), passageKey),
    found: () => inOrder,
    rrf: () => {
      const keys = lists.map((list) => list.map(({ order, score }) => ({ key: String(order), score })))
      const ranking = fuseRankings(keys, { fusion: 'rrf', k: rankConstant, weights: [] })
      return ranking.map(({ key }) => itemAt(inOrder, Number(key)))
    },
  }
  const ranking = merges[merge]().map((passage, place): Passage => {
    const { fallback: _, ...why } = passage.why ?? {}
    return { ...passage, score: -place, why }
  })
  const fallbacks = new Set([
    ...inOrder.map(({ why }) => why?.['fallback']),
    warnings[stopped],
    isUnsearched ? 'the question is searched, because the agent did not search' : undefined,
  ])
  const count = (of: string): number => outcomes.filter((outcome) => outcome === of).length
  return addTrace(ranking, [...fallbacks], {
    stopped,
    calls,
    observedTokens,
    turns: outcomes.length,
    repeated: count('repeated'),
    malformed: count('malformed'),
    queries: searches.map(({ query }) => query),
    'turns of passages': ranking.map(({ order = 0 }) => Number(inOrder[order]?.why?.['turn'])),
    ...(answer !== undefined && { [answerField]: answer }),
  })
}

/** The result of a turn: new passages, none, too many tokens, a query of an earlier turn, or no valid step. */
type Outcome = 'new' | 'empty' | 'tokens' | 'repeated' | 'malformed'

/** Why an episode ended. */
type Stop = Outcome | 'answered' | 'turns' | 'failed'

/** The searches of an agent for one question, with the passages that it saw, and how it stopped. */
type Episode = Awaited<ReturnType<typeof explore>>

const notice =
  'This is no valid step. Reply with JSON: {"thought": "...", "action": "search", "query": "..."} or {"thought": "...", "action": "answer", "answer": "..."}'

/** Thinks, searches and observes until the agent answers or a limit stops it. */
async function explore(
  query: Query,
  rank: (text: string) => Promise<readonly Passage[]>,
  options: AgentOptions,
  chunks: readonly Chunk[],
  models: Models,
) {
  const outcomes: Outcome[] = []
  const turns: AgentTurn[] = []
  const numbersOf = new Map<string, string>()
  const observe = createObserver(chunks, options.turnTokens, (text) => models.countTokens(text))
  let calls = 0
  let observedTokens = 0
  let reply = JSON.stringify({ action: 'search', query: query.text })

  const search = async (text: string): Promise<readonly Passage[]> => {
    const { passages, lines, numbers, newTokens } = observe((await rank(text)).slice(0, options.passages))
    const isTooLong = observedTokens + newTokens > options.totalTokens
    outcomes.push(isTooLong ? 'tokens' : newTokens > 0 ? 'new' : 'empty')
    if (isTooLong) return []
    observedTokens += newTokens
    turns.push({ reply, observation: lines.join('\n') || 'Nothing was found.' })
    numbersOf.set(keyOf(text), numbers.join(' ') || 'nothing was found')
    const turn = numbersOf.size
    return passages.map((passage, place) => {
      return { ...passage, why: { ...passage.why, turn, rank: place + 1, query: text } }
    })
  }
  async function* think(): Turns<{ readonly stopped: Stop; readonly answer?: string }> {
    if (options.first === 'question') yield [query.text]
    for (;;) {
      const limit = limitOf(outcomes, options.turns)
      if (limit && options.answer === 'run') return { stopped: limit }
      const remainingTurns = limit ? 0 : options.turns - outcomes.length
      const input = { question: questionOf(query), turns: [...turns], remainingTurns }
      const output = await attempt(models, searchStep, input)
      calls++
      if (output instanceof ModelError) return { stopped: 'failed' }
      reply = output
      const step = readSearchStep(reply)
      if (step?.action === 'answer') return { stopped: limit ?? 'answered', answer: step.text }
      if (limit) return { stopped: limit }
      const numbers = step && numbersOf.get(keyOf(step.text))
      if (step && numbers === undefined) yield [step.text]
      else {
        outcomes.push(step ? 'repeated' : 'malformed')
        turns.push({ reply, observation: step ? `You searched for this before: ${numbers}` : notice })
      }
    }
  }

  const { searches, end } = await searchByTurns(search, think)
  // an agent that never searched: the question itself is searched
  const isUnsearched = searches.length === 0 && options.answer === 'run'
  const fallback = isUnsearched ? [{ query: query.text, passages: await search(query.text) }] : []
  return { ...end, searches: [...searches, ...fallback], outcomes, calls, observedTokens, isUnsearched }
}

/** Two equal outcomes in a row without progress stop an agent, as do its options. */
function limitOf(outcomes: readonly Outcome[], maxTurns: number): Outcome | 'turns' | undefined {
  const last = outcomes.at(-1)
  const previous = outcomes.at(-2)
  if (last === 'tokens' || (last !== 'new' && last === previous)) return last
  return outcomes.length >= maxTurns ? 'turns' : undefined
}

const keyOf = (text: string): string => lettersOf(text).toLowerCase()

const questionOf = ({ text, history = [], options = [] }: Query): string =>
  [
    ...history.map((turn) => `${turn.speaker}: ${turn.text}`),
    text,
    ...options.map((option, at) => `${at + 1}. ${option}`),
  ].join('\n')

/**
 * Shows the longest prefix of a ranking within the tokens of a turn; passages seen before are numbers only. `order`: by
 * first sight.
 */
function createObserver(chunks: readonly Chunk[], turnTokens: number, count: (text: string) => number) {
  const seenPassages = new Map<string, Passage>()
  return (ranking: readonly Passage[]) => {
    const passages: Passage[] = []
    const lines: string[] = []
    let newTokens = 0
    for (const candidate of ranking) {
      const earlier = seenPassages.get(passageKey(candidate))
      const fits = newTokens + count(candidate.text) <= turnTokens
      const start = fits || newTokens > 0 ? undefined : beginningOf(candidate, chunks, turnTokens, count)
      const excerpt = earlier ?? (fits ? candidate : start)
      if (!excerpt) break
      const passage = earlier ?? { ...excerpt, order: seenPassages.size }
      seenPassages.set(passageKey(candidate), passage)
      passages.push(passage)
      lines.push(earlier ? numberOf(passage) : `${numberOf(passage)} ${passage.text}`)
      if (!earlier) newTokens += count(passage.text)
    }
    return { passages, lines, numbers: passages.map(numberOf), newTokens }
  }
}

const numberOf = ({ order = 0 }: Passage): string => `[${order + 1}]`

/** The longest prefix within the limit; undefined if its place in the documents is not one span. */
function beginningOf(
  passage: Passage,
  chunks: readonly Chunk[],
  tokens: number,
  count: (text: string) => number,
): Passage | undefined {
  const text = longestStart(passage.text, tokens, count)
  if (text.trim() === '') return undefined
  if (passage.kind !== 'chunk') return { ...passage, text }
  const [span, ...rest] = passage.spans ?? chunks.filter(({ id }) => passage.from.includes(id))
  if (!span || rest.length > 0) return undefined
  const { documentId, start, end } = span
  const cutLength = passage.text.length - text.length
  return { ...passage, text, spans: [{ documentId, start, end: Math.max(start, end - cutLength) }] }
}
