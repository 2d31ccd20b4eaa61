import { isObject } from '../basics/plain-data.ts'
import { parseLenient } from '../text/json.ts'
import { withoutReasoning } from '../text/reasoning.ts'
import { answerTokens } from '../text/words.ts'
import { statementsIn, type Statement } from './choice-statements.ts'
import { plainReply } from './choice-text.ts'
import { type Mark, choiceTokens } from './choice-tokens.ts'
import { kindOfWord } from './choice-words.ts'

/**
 * Reads which option a reply names: a 0-based index, or null where it names none, or several and none of them last.
 * `asked`: the mark that the prompt asks for; the other one, and the text of an option, name an option as well.
 */
export function readChoice(reply: string, options: readonly string[], asked: Mark = 'number'): number | null {
  const text = withoutReasoning(reply)
  const plain = plainReply(answerInJson(text) ?? text)
  const statements = statementsIn(choiceTokens(plain, options, asked), plain, options.length)
  const named = affirmedIn(statements)
  if (named !== undefined) return named
  const denied = new Set(statements.flatMap(({ isDenied, indexes }) => (isDenied ? indexes : [])))
  const left = options.flatMap((_, index) => (denied.has(index) ? [] : [index]))
  return denied.size > 0 ? only(left) : null
}

/** The answer of a reply in JSON as a labelled line; undefined where the reply has no such answer. */
function answerInJson(text: string): string | undefined {
  if (!/\{\s*["'“”]?[\p{L}_]+["'“”]?\s*:/u.test(text)) return undefined
  const parsed = parseLenient(text, 'object')
  if (parsed.outcome === 'failed' || !isObject(parsed.value)) return undefined
  if (parsed.outcome === 'repaired' && parsed.lossy) return undefined
  const value = answerOf(parsed.value)
  const named = isObject(value) ? answerOf(value) : value
  return named === undefined ? undefined : `Answer: ${written(named)}`
}

function written(value: unknown): string {
  if (Array.isArray(value)) return value.map(written).join(', ')
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

/** The value whose key says that it is the answer, or the only one. */
function answerOf(object: Readonly<Record<string, unknown>>): unknown {
  const entries = Object.entries(object)
  const [named] = ['A', 'V', 'O'].flatMap((kind) => entries.filter(([key]) => kindsOfKey(key).includes(kind)))
  return (named ?? (entries.length === 1 ? entries[0] : undefined))?.[1]
}

const kindsOfKey = (key: string): readonly string[] =>
  key.split(/[\s_-]+|(?<=[a-z])(?=[A-Z])/).map((word) => kindOfWord(word.toLowerCase()))

/** The option of the last explicit statement, else the only one that is named; undefined where none is affirmed. */
function affirmedIn(statements: readonly Statement[]): number | null | undefined {
  const lastDenied = new Map(
    statements.flatMap(({ isDenied, indexes }, at) => (isDenied ? indexes.map((index) => [index, at] as const) : [])),
  )
  const affirmed = statements.filter(
    ({ isDenied, indexes }, at) => !isDenied && indexes.some((index) => (lastDenied.get(index) ?? -1) < at),
  )
  const revised = affirmed.filter(({ isRevision }) => isRevision)
  const last = revised.length > 0 ? revised : affirmed
  const explicit = last.findLast(({ weight }) => weight === 'explicit')
  if (explicit) return only(explicit.indexes)
  const alone = last.filter(({ weight }) => weight === 'alone')
  const counted = alone.length > 0 ? alone : last
  return counted.length === 0 ? undefined : only(counted.flatMap(({ indexes }) => indexes))
}

function only(indexes: readonly (number | null)[]): number | null {
  const [first = null, ...others] = new Set(indexes)
  return others.length === 0 ? first : null
}

/** The option with the largest share of the reply's tokens, as UnifiedQA's evaluation finds it; null for none. */
export function readOptionText(reply: string, options: readonly string[]) {
  const said = answerTokens(reply)
  const nearness = options.map((option) => likeness(said, answerTokens(option)))
  const best = Math.max(0, ...nearness)
  if (best === 0) return { choice: null }
  const tied = nearness.filter((one) => one === best).length > 1
  return { choice: nearness.indexOf(best), ...(tied && { tied }) }
}

/** 2 for the same tokens in the same order, so that an option wins over one of the same words in another order. */
function likeness(said: readonly string[], option: readonly string[]): number {
  if (said.length === 0 || option.length === 0) return 0
  if (said.join(' ') === option.join(' ')) return 2
  const own = new Set(option)
  const shared = [...new Set(said)].filter((token) => own.has(token)).length
  return shared / Math.max(said.length, option.length)
}
