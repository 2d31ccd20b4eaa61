import { ModelError } from '../../errors.ts'
import { type AgentTurn, readSearchStep, searchStep } from '../../tasks/search-step.ts'
import { lettersOf } from '../../text/characters.ts'
import type { Models, Passage, Query } from '../../types.ts'
import { attempt } from '../shared/attempt.ts'
import { type Search, searchByTurns } from '../shared/search-loop.ts'
import type { Observe } from './observe.ts'
import type { AgentOptions } from './options.ts'

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
  observe: Observe,
  options: AgentOptions,
  models: Models,
): Promise<Episode> {
  const outcomes: Outcome[] = []
  const turns: AgentTurn[] = []
  const numbersOf = new Map<string, string>()
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
      const input = {
        question: questionOf(query),
        turns: [...turns],
        turnsLeft: limit ? 0 : options.turns - outcomes.length,
      }
      const outcome = await attempt(models, searchStep, input)
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
