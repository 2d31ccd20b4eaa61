import { ModelError } from '../../errors.ts'
import { type AgentTurn, readSearchStep, searchStep } from '../../tasks/search-step.ts'
import { lettersOf } from '../../text/characters.ts'
import type { Chunk, Models, Passage, Query } from '../../types.ts'
import { attempt } from '../shared/attempt.ts'
import { passageKey } from '../shared/fuse-passages.ts'
import { longestStart } from '../shared/longest-start.ts'
import { type Search, searchByTurns } from '../shared/search-loop.ts'

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

interface Limits {
  readonly turns: number
  readonly passages: number
  readonly turnTokens: number
  readonly totalTokens: number
  readonly first: 'model' | 'question'
  readonly answer: 'run' | 'own'
  readonly chunks: readonly Chunk[]
}

const notice =
  'This is no valid step. Reply with JSON: {"thought": "...", "action": "search", "query": "..."} or {"thought": "...", "action": "answer", "answer": "..."}'

/** Thinks, searches and observes until the agent answers or a limit stops it. */
export async function explore(
  query: Query,
  rank: (text: string) => Promise<readonly Passage[]>,
  limits: Limits,
  models: Models,
): Promise<Episode> {
  const outcomes: Outcome[] = []
  const turns: AgentTurn[] = []
  const numbersOf = new Map<string, string>()
  const observe = createObserver(limits, (text) => models.countTokens(text))
  const end: { calls: number; observedTokens: number; stopped: Episode['stopped']; answer?: string } = {
    calls: 0,
    observedTokens: 0,
    stopped: 'turns',
  }
  let reply = JSON.stringify({ action: 'search', query: query.text })

  const search = async (text: string): Promise<readonly Passage[]> => {
    const { passages, observation, numbers, newTokens } = observe((await rank(text)).slice(0, limits.passages))
    const isTooLong = end.observedTokens + newTokens > limits.totalTokens
    outcomes.push(isTooLong ? 'tokens' : newTokens > 0 ? 'new' : 'empty')
    if (isTooLong) return []
    end.observedTokens += newTokens
    turns.push({ reply, observation })
    numbersOf.set(keyOf(text), numbers)
    return passages
  }

  const nextQueries = async (): Promise<readonly string[]> => {
    if (limits.first === 'question' && outcomes.length === 0) return [query.text]
    for (;;) {
      const limit = stopAfter(outcomes, limits.turns)
      end.stopped = limit ?? 'answered'
      if (limit && limits.answer === 'run') return []
      const turnsLeft = limit ? 0 : limits.turns - outcomes.length
      const outcome = await attempt(models, searchStep, { question: questionOf(query), turns: [...turns], turnsLeft })
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
  const isUnsearched = searches.length === 0 && limits.answer === 'run'
  const fallback = isUnsearched ? [{ query: query.text, passages: await search(query.text) }] : []
  return { searches: [...searches, ...fallback], outcomes, isUnsearched, ...end }
}

/** Two equal outcomes in a row without progress stop an agent, as do its limits. */
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
function createObserver({ chunks, turnTokens }: Limits, countTokens: (text: string) => number) {
  const seen = new Map<string, { readonly number: string; readonly passage: Passage }>()
  return (ranking: readonly Passage[]) => {
    const passages: Passage[] = []
    const numbers: string[] = []
    const lines: string[] = []
    let newTokens = 0
    for (const candidate of ranking) {
      const earlier = seen.get(passageKey(candidate))
      const fits = newTokens + countTokens(candidate.text) <= turnTokens
      const start = fits || newTokens > 0 ? undefined : beginningOf(candidate)
      const passage = earlier?.passage ?? (fits ? candidate : start)
      if (!passage) break
      const number = earlier?.number ?? `[${seen.size + 1}]`
      seen.set(passageKey(candidate), { number, passage })
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
