import { z } from 'zod'
import { isObject } from '../basics/plain-data.ts'
import { parseLenient } from '../text/json.ts'
import type { Message, Query } from '../types.ts'
import { shortAnswer } from './stand-ins/answers.ts'
import { namesIn } from './stand-ins/names.ts'
import { closest, read } from './stand-ins/reading.ts'
import { sampledTask } from './task.ts'

/** A past turn of an agent: its reply, as it was, and the observation that followed. */
export interface AgentTurn {
  readonly reply: string
  readonly observation: string
}

/** A question, the turns so far, and the number of remaining searches. */
export interface SearchStepInput {
  readonly question: string
  readonly turns: readonly AgentTurn[]
  readonly remainingTurns: number
}

/** The text of a question with the conversation before it and its options. */
export const questionText = ({ text, history = [], options = [] }: Query): string =>
  [
    ...history.map((turn) => `${turn.speaker}: ${turn.text}`),
    text,
    ...options.map((option, at) => `${at + 1}. ${option}`),
  ].join('\n')

/** The observation of a query that was searched before, with the numbers of its passages. */
export const repeatedSearch = (numbers: readonly string[]): string =>
  `You searched for this before: ${numbers.join(' ') || 'nothing was found'}`

/** The observation of a malformed step. */
export const malformedStep =
  'This is no valid step. Reply with JSON: {"thought": "...", "action": "search", "query": "..."} or {"thought": "...", "action": "answer", "answer": "..."}'

/** The next step of an agent: a search or an answer. */
interface SearchStep {
  readonly action: 'search' | 'answer'
  /** The query, or the answer. */
  readonly text: string
}

const system = `You answer a question with the help of a search engine. In each turn, first think: what is known, and what is missing? Then either search or answer.
To search, write one query that can be understood by itself and asks for one missing thing. You get passages back, each with a number; a number alone is a passage that you have seen.
Answer as soon as the passages suffice, as briefly as possible. Do not invent passages.
Reply with JSON of one of these two shapes and nothing else:
{"thought": "The builder of Arden Mill is missing.", "action": "search", "query": "builder of Arden Mill"}
{"thought": "John Bell built it.", "action": "answer", "answer": "John Bell"}`

/**
 * One turn of an agent that searches (Search-R1, Search-o1; our wording). The reply is text, because the agent counts
 * a malformed one as a turn; `readSearchStep` reads it.
 */
export const searchStep = sampledTask<SearchStepInput, string>({
  name: 'search-step',
  version: 1,
  sample: {
    question: 'Who planned the lighthouse on Cape Wrath, and where was he born?',
    turns: [
      {
        reply: '{"thought": "The planner is missing.", "action": "search", "query": "planner of the lighthouse"}',
        observation: '[1] The lighthouse on Cape Wrath was planned by Robert Stevenson.',
      },
    ],
    remainingTurns: 3,
  },
  reply: 'text',
  replyTokens: () => 50,
  output: z.string(),
  prompt: ({ question, turns, remainingTurns }) => {
    const limit = remainingTurns > 0 ? `Searches left: ${remainingTurns}` : 'No search is left: answer now.'
    const contents = [`Question: ${question}`, ...turns.map(({ observation }) => observation)]
    const messages = contents.flatMap((content, at): readonly Message[] => {
      const reply = turns[at]?.reply
      if (reply === undefined) return [{ role: 'user', content: `${content}\n\n${limit}` }]
      return [
        { role: 'user', content },
        { role: 'assistant', content: reply },
      ]
    })
    return { messages: [{ role: 'system', content: system }, ...messages], maxTokens: 200 }
  },
  offline: nextStep,
})

/** Reads a step as JSON, or as a tag of Search-R1; undefined for a malformed one. The first complete tag counts. */
export function readSearchStep(reply: string): SearchStep | undefined {
  const [, tag, content = ''] = /<(search|answer)>([^]*?)<\/\1>/i.exec(reply) ?? []
  if (tag !== undefined) return stepOf(tag, content)
  const fields = parseLenient(reply, 'object')
  if (fields.outcome === 'failed' || !isObject(fields.value)) return undefined
  const { action, query, answer } = fields.value
  return action === 'answer' ? stepOf('answer', answer ?? query) : stepOf(action, query)
}

function stepOf(action: unknown, content: unknown): SearchStep | undefined {
  const [name, text] = [action, content].map((value) => (typeof value === 'string' ? value.trim() : ''))
  const kind = name?.toLowerCase()
  const isAction = kind === 'search' || kind === 'answer'
  return isAction && text ? { action: kind, text } : undefined
}

function nextStep({ question, turns, remainingTurns }: SearchStepInput) {
  const passages = turns.map(({ observation }) => observation.replace(/^\[\d+\] ?/gm, ''))
  const sentences = read(passages.join('\n\n'))
  const nearest = closest(question, sentences).find(({ share }) => share > 0)?.sentence.text ?? ''
  const questionText = question.toLowerCase()
  const names = namesIn(nearest).filter((name) => !questionText.includes(name.toLowerCase()))
  if (remainingTurns > 0 && turns.length === 0) return step('The passages are missing.', 'search', question)
  if (remainingTurns > 0 && turns.length === 1 && names.length > 0)
    return step(nearest, 'search', `${names.slice(0, 2).join(' ')} ${question}`)
  const context = sentences.map(({ text }) => text).join('\n\n')
  return step(nearest, 'answer', shortAnswer(question, context))
}

const step = (thought: string, action: SearchStep['action'], text: string) =>
  JSON.stringify({ thought, action, [action === 'search' ? 'query' : 'answer']: text })
