import { z } from 'zod'
import { ModelError } from '../../errors.ts'
import { type AgentTurn, readSearchStep, searchStep } from '../../tasks/search-step.ts'
import { lettersOf } from '../../text/characters.ts'
import type { Chunk, Models, Passage, Query } from '../../types.ts'
import { attempt } from '../shared/attempt.ts'
import { passageKey } from '../shared/fuse-passages.ts'
import { longestStart } from '../shared/longest-start.ts'
import { methodOption } from '../shared/ranking-method.ts'
import { searchByTurns } from '../shared/search-loop.ts'
import { choice, wholeNumber } from '../shared/options.ts'

export const agentOptions = z.strictObject({
  of: methodOption('bm25', 'The method that is the search tool: a name, a file, or an entry with options'),
  turns: wholeNumber(
    1,
    4,
    'Maximum searches for a question; repeated queries and malformed replies count (our reading)',
  ),
  passages: wholeNumber(1, 3, 'Passages that a search shows (Search-R1)'),
  turnTokens: wholeNumber(1, 1000, 'Maximum tokens of the passages that a search shows (our reading)'),
  totalTokens: wholeNumber(1, 4000, 'Maximum tokens of all passages shown, each counted once (our reading)'),
  first: choice(
    ['model', 'question'],
    'Who writes the first query. model: the model; question: it is the question itself, without a call',
  ),
  merge: choice(
    ['turns', 'found', 'rrf'],
    'How passages of all searches are ranked. turns: interleaved by rank, the latest search first; found: by first sight, as ircot; rrf: by reciprocal ranks (our reading)',
  ),
  answer: choice(
    ['run', 'own'],
    "Who answers. run: the run's answerer, from the passages within the budget; own: the agent, from all passages that it saw, exempt from the budget: its row is marked and not compared with the others",
  ),
})

export type AgentOptions = z.output<typeof agentOptions>

/** The result of a turn: new passages, none, too many tokens, a query of an earlier turn, or no valid step. */
type Outcome = 'new' | 'empty' | 'tokens' | 'repeated' | 'malformed'

/** Why an episode ended. */
export type Stop = Outcome | 'answered' | 'turns' | 'failed'

/** The searches of an agent for one question, with the passages that it saw, and how it stopped. */
export type Episode = Awaited<ReturnType<typeof explore>>

const notice =
  'This is no valid step. Reply with JSON: {"thought": "...", "action": "search", "query": "..."} or {"thought": "...", "action": "answer", "answer": "..."}'

/** Thinks, searches and observes until the agent answers or a limit stops it. */
export async function explore(
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
  let [calls, observedTokens, reply] = [0, 0, JSON.stringify({ action: 'search', query: query.text })]
  let end: { readonly stopped: Stop; readonly answer?: string } = { stopped: 'turns' }

  const search = async (text: string): Promise<readonly Passage[]> => {
    const { passages, observation, numbers, newTokens } = observe((await rank(text)).slice(0, options.passages))
    const isTooLong = observedTokens + newTokens > options.totalTokens
    outcomes.push(isTooLong ? 'tokens' : newTokens > 0 ? 'new' : 'empty')
    if (isTooLong) return []
    observedTokens += newTokens
    turns.push({ reply, observation })
    numbersOf.set(keyOf(text), numbers)
    return passages
  }
  const stop = (stopped: Stop, answer?: string): undefined => {
    end = { stopped, ...(answer !== undefined && { answer }) }
  }
  const nextQueries = async (): Promise<readonly string[] | undefined> => {
    if (options.first === 'question' && outcomes.length === 0) return [query.text]
    const limit = stopAfter(outcomes, options.turns)
    if (limit && options.answer === 'run') return stop(limit)
    const remainingTurns = limit ? 0 : options.turns - outcomes.length
    const output = await attempt(models, searchStep, { question: questionOf(query), turns: [...turns], remainingTurns })
    calls++
    if (output instanceof ModelError) return stop('failed')
    reply = output
    const step = readSearchStep(reply)
    if (step?.action === 'answer') return stop(limit ?? 'answered', step.text)
    if (limit) return stop(limit)
    const numbers = step && numbersOf.get(keyOf(step.text))
    if (step && numbers === undefined) return [step.text]
    outcomes.push(step ? 'repeated' : 'malformed')
    turns.push({ reply, observation: step ? `You searched for this before: ${numbers}` : notice })
    return []
  }

  const searches = await searchByTurns(search, nextQueries)
  // an agent that never searched: the question itself is searched
  const isUnsearched = searches.length === 0 && options.answer === 'run'
  const fallback = isUnsearched ? [{ query: query.text, passages: await search(query.text) }] : []
  return { searches: [...searches, ...fallback], outcomes, calls, observedTokens, isUnsearched, ...end }
}

/** Two equal outcomes in a row without progress stop an agent, as do its options. */
function stopAfter(outcomes: readonly Outcome[], maxTurns: number): Outcome | 'turns' | undefined {
  const [last, previous] = [outcomes.at(-1), outcomes.at(-2)]
  if (last === 'tokens' || (last !== 'new' && last === previous)) return last
  return outcomes.length >= maxTurns ? 'turns' : undefined
}

const keyOf = (text: string): string => lettersOf(text).toLowerCase()

/** The question after its conversation, with numbered options. */
const questionOf = ({ text, history = [], options = [] }: Query): string =>
  [
    ...history.map((turn) => `${turn.speaker}: ${turn.text}`),
    text,
    ...options.map((option, at) => `${at + 1}. ${option}`),
  ].join('\n')

/** Shows the longest prefix of a ranking within the tokens of a turn; passages seen before are numbers only. */
function createObserver(chunks: readonly Chunk[], turnTokens: number, count: (text: string) => number) {
  const seen = new Map<string, { readonly number: string; readonly passage: Passage }>()
  return (ranking: readonly Passage[]) => {
    const shown: { readonly number: string; readonly passage: Passage; readonly line: string }[] = []
    let newTokens = 0
    for (const candidate of ranking) {
      const earlier = seen.get(passageKey(candidate))
      const fits = newTokens + count(candidate.text) <= turnTokens
      const start = fits || newTokens > 0 ? undefined : beginningOf(candidate, chunks, turnTokens, count)
      const passage = earlier?.passage ?? (fits ? candidate : start)
      if (!passage) break
      const number = earlier?.number ?? `[${seen.size + 1}]`
      shown.push({ number, passage, line: earlier ? number : `${number} ${passage.text}` })
      seen.set(passageKey(candidate), { number, passage })
      if (!earlier) newTokens += count(passage.text)
    }
    return {
      passages: shown.map(({ passage }) => passage),
      observation: shown.map(({ line }) => line).join('\n') || 'Nothing was found.',
      numbers: shown.map(({ number }) => number).join(' ') || 'nothing was found',
      newTokens,
    }
  }
}

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
  // the path of a section before the words of a chunk is in no span
  const lead = span ? passage.text.length - (span.end - span.start) : 0
  if (!span || rest.length > 0 || lead < 0) return undefined
  const { documentId, start } = span
  return { ...passage, text, spans: [{ documentId, start, end: start + Math.max(0, text.length - lead) }] }
}
