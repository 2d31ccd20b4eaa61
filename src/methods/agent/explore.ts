import { z } from 'zod'
import { ModelError } from '../../errors.ts'
import { type AgentTurn, readSearchStep, searchStep } from '../../tasks/search-step.ts'
import { lettersOf } from '../../text/characters.ts'
import type { Chunk, Models, Passage, Query } from '../../types.ts'
import { attempt } from '../shared/attempt.ts'
import { passageKey } from '../shared/fuse-passages.ts'
import { longestStart } from '../shared/longest-start.ts'
import { methodReference } from '../shared/ranking-method.ts'
import { type Search, searchByTurns } from '../shared/search-loop.ts'

const limit = (usual: number, description: string) => z.int().min(1).default(usual).describe(description)

export const agentOptions = z.strictObject({
  of: methodReference
    .default('bm25')
    .describe('The method that is the search tool: a name, a file, or an entry with options'),
  turns: limit(4, 'Maximum searches for a question; repeated queries and malformed replies count (our reading)'),
  passages: limit(3, 'Passages that a search shows (Search-R1)'),
  turnTokens: limit(1000, 'Maximum tokens of the passages that a search shows (our reading)'),
  totalTokens: limit(4000, 'Maximum tokens of all passages shown, each counted once (our reading)'),
  first: z
    .enum(['model', 'question'])
    .default('model')
    .describe('Who writes the first query. model: the model; question: it is the question itself, without a call'),
  merge: z
    .enum(['turns', 'found', 'rrf'])
    .default('turns')
    .describe(
      'How passages of all searches are ranked. turns: interleaved by rank, the latest search first; found: by first sight, as ircot; rrf: by reciprocal ranks (our reading)',
    ),
  answer: z
    .enum(['run', 'own'])
    .default('run')
    .describe(
      "Who answers. run: the run's answerer, from the passages within the budget; own: the agent, from all passages that it saw, exempt from the budget: its row is marked and not compared with the others",
    ),
})

export type AgentOptions = z.output<typeof agentOptions>

/** The result of a turn: new passages, none, too many tokens, a query of an earlier turn, or no valid step. */
type Outcome = 'new' | 'empty' | 'tokens' | 'repeated' | 'malformed'

/** The searches of an agent for one question, with the passages that it saw, and how it stopped. */
export interface Episode {
  readonly searches: readonly Search[]
  readonly outcomes: readonly Outcome[]
  readonly calls: number
  readonly observedTokens: number
  readonly stopped: Outcome | 'answered' | 'turns' | 'failed'
  /** The agent never searched, and the question itself was searched. */
  readonly isUnsearched: boolean
  readonly answer?: string
}

const notice =
  'This is no valid step. Reply with JSON: {"thought": "...", "action": "search", "query": "..."} or {"thought": "...", "action": "answer", "answer": "..."}'

/** Thinks, searches and observes until the agent answers or a limit stops it. */
export async function explore(
  query: Query,
  rank: (text: string) => Promise<readonly Passage[]>,
  options: AgentOptions,
  chunks: readonly Chunk[],
  models: Models,
): Promise<Episode> {
  const outcomes: Outcome[] = []
  const turns: AgentTurn[] = []
  const numbersOf = new Map<string, string>()
  const observe = createObserver(chunks, options.turnTokens, (text) => models.countTokens(text))
  const end: { calls: number; observedTokens: number; stopped: Episode['stopped']; answer?: string } = {
    calls: 0,
    observedTokens: 0,
    stopped: 'turns',
  }
  let reply = JSON.stringify({ action: 'search', query: query.text })

  const search = async (text: string): Promise<readonly Passage[]> => {
    const { passages, observation, numbers, newTokens } = observe((await rank(text)).slice(0, options.passages))
    const isTooLong = end.observedTokens + newTokens > options.totalTokens
    outcomes.push(isTooLong ? 'tokens' : newTokens > 0 ? 'new' : 'empty')
    if (isTooLong) return []
    end.observedTokens += newTokens
    turns.push({ reply, observation })
    numbersOf.set(keyOf(text), numbers)
    return passages
  }

  const nextQueries = async (): Promise<readonly string[]> => {
    if (options.first === 'question' && outcomes.length === 0) return [query.text]
    for (;;) {
      const limit = stopAfter(outcomes, options.turns)
      end.stopped = limit ?? 'answered'
      if (limit && options.answer === 'run') return []
      const remainingTurns = limit ? 0 : options.turns - outcomes.length
      const outcome = await attempt(models, searchStep, {
        question: questionOf(query),
        turns: [...turns],
        remainingTurns,
      })
      end.calls++
      if (outcome instanceof ModelError) {
        end.stopped = 'failed'
        return []
      }
      reply = outcome
      const step = readSearchStep(reply)
      if (step?.action === 'answer') end.answer = step.text
      if (step?.action === 'answer' || limit) return []
      const numbers = step && numbersOf.get(keyOf(step.text))
      if (step && numbers === undefined) return [step.text]
      outcomes.push(numbers === undefined ? 'malformed' : 'repeated')
      turns.push({ reply, observation: numbers === undefined ? notice : `You searched for this before: ${numbers}` })
    }
  }

  const searches = await searchByTurns(search, nextQueries)
  const isUnsearched = searches.length === 0 && options.answer === 'run'
  const fallback = isUnsearched ? [{ query: query.text, passages: await search(query.text) }] : []
  return { searches: [...searches, ...fallback], outcomes, isUnsearched, ...end }
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
function createObserver(chunks: readonly Chunk[], turnTokens: number, countTokens: (text: string) => number) {
  const passagesByText = new Map<string, { readonly number: string; readonly passage: Passage }>()
  return (ranking: readonly Passage[]) => {
    const passages: Passage[] = []
    const numbers: string[] = []
    const lines: string[] = []
    let newTokens = 0
    for (const candidate of ranking) {
      const earlier = passagesByText.get(passageKey(candidate))
      const fits = newTokens + countTokens(candidate.text) <= turnTokens
      const start = fits || newTokens > 0 ? undefined : beginningOf(candidate)
      const passage = earlier?.passage ?? (fits ? candidate : start)
      if (!passage) break
      const number = earlier?.number ?? `[${passagesByText.size + 1}]`
      passagesByText.set(passageKey(candidate), { number, passage })
      passages.push(passage)
      numbers.push(number)
      lines.push(earlier ? number : `${number} ${passage.text}`)
      if (!earlier) newTokens += countTokens(passage.text)
    }
    return {
      passages,
      observation: lines.join('\n') || 'Nothing was found.',
      numbers: numbers.join(' ') || 'nothing was found',
      newTokens,
    }
  }

  /** The longest prefix within the limit; undefined if its place in the documents is not one span. */
  function beginningOf(passage: Passage): Passage | undefined {
    const text = longestStart(passage.text, turnTokens, countTokens)
    if (text.trim() === '') return undefined
    if (passage.kind !== 'chunk') return { ...passage, text }
    const [span, ...rest] = passage.spans ?? chunks.filter(({ id }) => passage.from.includes(id))
    // the path of a section before the words of a chunk is in no span
    const lead = span ? passage.text.length - (span.end - span.start) : 0
    if (!span || rest.length > 0 || lead < 0) return undefined
    const { documentId, start } = span
    return { ...passage, text, spans: [{ documentId, start, end: start + Math.max(0, text.length - lead) }] }
  }
}
