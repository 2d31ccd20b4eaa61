import { isObject } from '../basics/plain-data.ts'
import { parseLenient } from '../text/json.ts'
import { withoutReasoning } from '../text/reasoning.ts'
import { answerTokens } from '../text/words.ts'
import { statementsIn, type Statement } from './choice-statements.ts'
import { plainReply } from './choice-text.ts'
import { type Mark, choiceTokens } from './choice-tokens.ts'
import { kindOfWord } from './choice-words.ts'

/**
 * Reads the option that a reply names: a 0-based index, or null where it names none, or several without a final one.
 * `requestedMark`: how the prompt asks for options; other marks and option texts count as well.
 */
export function readChoice(reply: string, options: readonly string[], requestedMark: Mark = 'number'): number | null {
  const text = withoutReasoning(reply)
  const plain = plainReply(answerInJson(text) ?? text)
  const tokens = choiceTokens(plain, options, requestedMark)
  const statements = statementsIn(tokens, plain, options.length)
  const choice = affirmedOption(statements)
  if (choice !== undefined) return choice
  const denials = statements.filter(({ isDenied }) => isDenied)
  const deniedOptions = new Set(denials.flatMap(({ indexes }) => indexes))
  const remaining = options.flatMap((_, index) => (deniedOptions.has(index) ? [] : [index]))
  return deniedOptions.size > 0 ? only(remaining) : null
}

/** The answer of a JSON reply as a line "Answer: …"; undefined without one. */
function answerInJson(text: string): string | undefined {
  if (!/\{\s*["'“”]?[\p{L}_]+["'“”]?\s*:/u.test(text)) return undefined
  const json = parseLenient(text, 'object')
  if (json.outcome === 'failed' || !isObject(json.value)) return undefined
  if (json.outcome === 'repaired' && json.lossy) return undefined
  const value = answerOf(json.value)
  const choice = isObject(value) ? answerOf(value) : value
  return choice === undefined ? undefined : `Answer: ${textOfValue(choice)}`
}

function textOfValue(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOfValue).join(', ')
  const isPrimitive = ['string', 'number', 'boolean'].includes(typeof value)
  return isPrimitive ? String(value) : ''
}

/** The value under an answer key, or the only value. */
function answerOf(object: Readonly<Record<string, unknown>>): unknown {
  const entries = Object.entries(object)
  const entriesOf = (kind: string) => entries.filter(([key]) => kindsOfKey(key).includes(kind))
  const [entry] = ['A', 'V', 'O'].flatMap(entriesOf)
  const singleEntry = entries.length === 1 ? entries[0] : undefined
  return (entry ?? singleEntry)?.[1]
}

const kindsOfKey = (key: string) =>
  key.split(/[\s_-]+|(?<=[a-z])(?=[A-Z])/).map((word) => kindOfWord(word.toLowerCase()))

/** The option of the last explicit statement, else the only affirmed one; undefined without one. */
function affirmedOption(statements: readonly Statement[]): number | null | undefined {
  const lastDenial = new Map<number | null, number>()
  for (const [at, { isDenied, indexes }] of statements.entries()) {
    if (isDenied) for (const index of indexes) lastDenial.set(index, at)
  }
  const isAffirmed = (index: number | null, at: number) => (lastDenial.get(index) ?? -1) < at
  const affirmations = statements.filter(
    ({ isDenied, indexes }, at) => !isDenied && indexes.some((index) => isAffirmed(index, at)),
  )
  const revisions = affirmations.filter(({ isRevision }) => isRevision)
  const last = revisions.length > 0 ? revisions : affirmations
  const explicit = last.findLast(({ weight }) => weight === 'explicit')
  if (explicit) return only(explicit.indexes)
  const alone = last.filter(({ weight }) => weight === 'alone')
  const decisive = alone.length > 0 ? alone : last
  return decisive.length === 0 ? undefined : only(decisive.flatMap(({ indexes }) => indexes))
}

function only(indexes: readonly (number | null)[]): number | null {
  const [first = null, ...rest] = new Set(indexes)
  return rest.length === 0 ? first : null
}

/** The option with the largest token overlap (UnifiedQA's evaluation); null for none. */
export function readOptionText(reply: string, options: readonly string[]) {
  const replyTokens = answerTokens(reply)
  const nearness = options.map((option) => likeness(replyTokens, answerTokens(option)))
  const best = Math.max(0, ...nearness)
  if (best === 0) return { choice: null }
  const isTie = nearness.filter((score) => score === best).length > 1
  return { choice: nearness.indexOf(best), ...(isTie && { tied: isTie }) }
}

/** Token overlap; 2 for the same tokens in the same order. */
function likeness(replyTokens: readonly string[], option: readonly string[]) {
  if (replyTokens.length === 0 || option.length === 0) return 0
  if (replyTokens.join(' ') === option.join(' ')) return 2
  const optionTokens = new Set(option)
  const overlap = [...new Set(replyTokens)].filter((token) => optionTokens.has(token)).length
  return overlap / Math.max(replyTokens.length, option.length)
}
