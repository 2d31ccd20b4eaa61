import { itemAt } from '../../basics/collections.ts'
import { rankingDepth } from '../../basics/metrics.ts'
import { ModelError } from '../../errors.ts'
import { roundRobin } from '../../math/polling.ts'
import {
  type AgentTurn,
  malformedStep,
  questionText,
  readSearchStep,
  repeatedSearch,
  searchStep,
} from '../../tasks/search-step.ts'
import type { Chunk, Index, Models, Passage, Query, Trace } from '../../types.ts'
import { addTrace } from '../shared/add-trace.ts'
import { distinctPassages, fuseRankings, passageKey, rankConstant } from '../shared/fuse-passages.ts'
import { defineComposite, rankingOf, methodOption } from '../shared/ranking-method.ts'
import { type Search, searchByTurns } from '../shared/search-loop.ts'
import { z } from 'zod'
import { lettersOf } from '../../text/characters.ts'
import { attempt } from '../shared/attempt.ts'
import { fittingRows } from '../shared/fitting.ts'
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
    const limits = { ...options, depth, turnTokens: Math.min(options.turnTokens, options.totalTokens) }
    return {
      // the budget does not steer the searches: passages seen beyond it count for the recall by turn
      nested: true,
      retrieve: async (query, { passages }, models) =>
        rankEpisode(await explore(query, tool, limits, chunks, models)).slice(0, passages),
      ...(options.answer === 'own' && {
        isExemptFromBudget: true,
        async answer(query, [first], models) {
          // an agent that saw no passage has its answer in no trace; its calls are cached
          const search = async () => (await explore(query, tool, limits, chunks, models)).answer
          const answer = first ? first.why?.[answerField] : await search()
          if (typeof answer !== 'string') throw new ModelError('reply', 'the agent gave no answer')
          return answer
        },
      }),
    }
  },
})

const answerField = 'agent answer'

/** The result of a turn: new passages, none, too many tokens, a query of an earlier turn, or no valid step. */
type Outcome = 'new' | 'empty' | 'tokens' | 'repeated' | 'malformed'

/** Thinks, searches and observes until the agent answers or a limit stops it. */
async function explore(
  query: Query,
  tool: Index | undefined,
  limits: z.output<typeof agentOptions> & { readonly depth: number },
  chunks: readonly Chunk[],
  models: Models,
) {
  const count = models.countTokens
  const outcomes: Outcome[] = []
  const turns: AgentTurn[] = []
  const seenPassages = new Map<string, Passage>()
  let calls = 0
  let observedTokens = 0
  let reply = JSON.stringify({ action: 'search', query: query.text })

  /** The longest prefix of a ranking whose new passages fit a turn, or the beginning of a first that is too long. */
  const search = async (text: string): Promise<readonly Passage[]> => {
    const all = tool ? await rankingOf(tool, { ...query, text }, limits.depth, models, limits.turnTokens) : []
    const ranking = all.slice(0, limits.passages)
    const newText = (passage: Passage) => (seenPassages.has(passageKey(passage)) ? '' : passage.text)
    const { items, tokens } = fittingRows('', ranking, newText, limits.turnTokens, count)
    const next = tokens === 0 ? ranking[items.length] : undefined
    const beginning = next && beginningOf(next, longestStart(next.text, limits.turnTokens, count), chunks)
    const newTokens = tokens + count(beginning?.text ?? '')
    const isTooLong = observedTokens + newTokens > limits.totalTokens
    outcomes.push(isTooLong ? 'tokens' : newTokens > 0 ? 'new' : 'empty')
    if (isTooLong) return []
    observedTokens += newTokens
    const lines: string[] = []
    const passages = [...items, ...(beginning ? [beginning] : [])].map((excerpt, place) => {
      const key = passageKey(itemAt(ranking, place))
      const passage = seenPassages.get(key) ?? { ...excerpt, order: seenPassages.size }
      lines.push(seenPassages.has(key) ? numberOf(passage) : `${numberOf(passage)} ${passage.text}`)
      seenPassages.set(key, passage)
      return passage
    })
    turns.push({ reply, observation: lines.join('\n') || 'Nothing was found.' })
    return passages
  }
  async function* think(searches: readonly Search[]) {
    if (limits.first === 'question') yield [query.text]
    for (;;) {
      const limit = limitOf(outcomes, limits.turns)
      if (limit && limits.answer === 'run') return { stopped: limit }
      const remainingTurns = limit ? 0 : limits.turns - outcomes.length
      const question = questionText(query)
      const output = await attempt(models, searchStep, { question, turns: [...turns], remainingTurns })
      calls++
      if (output instanceof ModelError) return { stopped: 'failed' as const }
      reply = output
      const step = readSearchStep(reply)
      if (step?.action === 'answer') return { stopped: limit ?? ('answered' as const), answer: step.text }
      if (limit) return { stopped: limit }
      const earlier = step && searches.find((past) => keyOf(past.query) === keyOf(step.text))
      if (step && !earlier) yield [step.text]
      else {
        outcomes.push(earlier ? 'repeated' : 'malformed')
        const observation = earlier ? repeatedSearch(earlier.passages.map(numberOf)) : malformedStep
        turns.push({ reply, observation })
      }
    }
  }

  const { searches, end } = await searchByTurns(search, think)
  // an agent that never searched: the question itself is searched
  const isUnsearched = searches.length === 0 && limits.answer === 'run'
  if (isUnsearched) searches.push({ query: query.text, passages: await search(query.text) })
  return { ...end, merge: limits.merge, searches, outcomes, calls, observedTokens, isUnsearched }
}

/** Two equal outcomes in a row without progress stop an agent, as do its options. */
function limitOf(outcomes: readonly Outcome[], maxTurns: number): Outcome | 'turns' | undefined {
  const [last, previous] = outcomes.toReversed()
  if (last === 'tokens' || (last !== 'new' && last === previous)) return last
  return outcomes.length >= maxTurns ? 'turns' : undefined
}

const keyOf = (text: string): string => lettersOf(text).toLowerCase()

const numberOf = ({ order = 0 }: Passage): string => `[${order + 1}]`

/** A passage with its longest prefix that fits; undefined if its place in the documents is not one span. */
function beginningOf(passage: Passage, text: string, chunks: readonly Chunk[]): Passage | undefined {
  if (text.trim() === '') return undefined
  if (passage.kind !== 'chunk') return { ...passage, text }
  const [span, ...rest] = passage.spans ?? chunks.filter(({ id }) => passage.from.includes(id))
  if (!span || rest.length > 0) return undefined
  const { documentId, start, end } = span
  const cutLength = passage.text.length - text.length
  return { ...passage, text, spans: [{ documentId, start, end: Math.max(start, end - cutLength) }] }
}

/** Endings that are warnings; an agent that answered, or reached a limit, ended as usual. */
const warnings: Readonly<Record<string, string>> = {
  repeated: 'the agent stopped after repeated queries',
  malformed: 'the agent stopped after malformed replies',
  failed: 'the agent stopped, because a reply could not be read or was refused',
}

/** All passages seen, best first, to be read in order of first sight; the trace of the first is that of the episode. */
function rankEpisode(episode: Awaited<ReturnType<typeof explore>>): readonly Passage[] {
  const { searches, outcomes, stopped, isUnsearched, answer, calls, observedTokens } = episode
  const lists = searches.map(({ query, passages }, place) =>
    passages.map((passage, rank) => {
      return { ...passage, why: { ...passage.why, turn: place + 1, rank: rank + 1, query } }
    }),
  )
  const inOrder = distinctPassages(lists)
  const merges = {
    turns: () => roundRobin(lists.toReversed(), passageKey),
    found: () => inOrder,
    rrf: () => fuseRankings(lists, { fusion: 'rrf', k: rankConstant, weights: [] }),
  }
  const ranking = merges[episode.merge]().map((passage, place): Passage => ({ ...passage, score: -place }))
  const fallbacks = new Set<Trace[string] | undefined>(inOrder.map(({ why }) => why?.['fallback']))
  fallbacks.add(warnings[stopped])
  fallbacks.add(isUnsearched ? 'the question is searched, because the agent did not search' : undefined)
  fallbacks.delete(ranking[0]?.why?.['fallback'])
  const count = (of: Outcome): number => outcomes.filter((outcome) => outcome === of).length
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
