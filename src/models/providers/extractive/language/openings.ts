import type { Mention } from './phrases.ts'
import { isPlainPreposition, prepositionBefore } from './prepositions.ts'
import { lower, type Span, type Word } from './sentence.ts'

/** How a clause begins: its subject, and the word that it starts at. */
export interface Opening {
  readonly subject?: Span
  readonly at: number
}

/**
 * Finds the subject in the gap before a verb: what a relative pronoun stands for, another pronoun, the subject of the clause before
 * where only a conjunction joins them, what stood before a parenthesis, or else the nearest noun phrase.
 */
export function openingOf(
  words: readonly Word[],
  nouns: readonly Mention[],
  gap: Span,
  before: Span | undefined,
): Opening {
  const last = nouns.findLast(({ from, to }) => from >= gap.from && to <= gap.to)
  const pronoun = words.findLastIndex((word, index) => index >= gap.from && index < gap.to && PRONOUNS.has(lower(word)))
  if (pronoun >= 0 && pronoun >= (last?.to ?? 0)) {
    const antecedent = RELATIVE.has(lower(words[pronoun])) ? nouns.findLast(({ to }) => to <= pronoun) : undefined
    return { subject: antecedent ?? { from: pronoun, to: pronoun + 1 }, at: pronoun }
  }
  const closes = words[gap.to - 1]
  if (before && (closes?.text === ',' || closes?.pos === 'CCONJ')) return { subject: before, at: gap.to }
  const own = (closes?.text === ',' ? outsideOf(words, nouns, gap) : undefined) ?? nearest(words, nouns, gap)
  const subject = own ?? before
  return { ...(subject && { subject }), at: own?.from ?? gap.to }
}

/** "Mount Elbrus, a volcano in Russia, is …": what stands before the first comma. */
function outsideOf(words: readonly Word[], nouns: readonly Mention[], gap: Span): Span | undefined {
  const comma = words.findIndex((word, index) => index >= gap.from && word.text === ',')
  return nouns.findLast(({ from, to }) => from >= gap.from && to <= comma)
}

/** The nearest noun phrase that no preposition leads to, with what is attached to it: "the keeper of the lighthouse", "Robert and Mary". */
function nearest(words: readonly Word[], nouns: readonly Mention[], gap: Span): Span | undefined {
  const inside = nouns.filter(({ from, to }) => from >= gap.from && to <= gap.to)
  const heads = inside.filter(({ from }) => {
    const preposition = prepositionBefore(words, from, gap.from)
    return !preposition || !isPlainPreposition(words[preposition.from])
  })
  const [other, head] = [heads.at(-2), heads.at(-1)]
  if (!head) return undefined
  const last = inside.at(-1) ?? head
  const attached = words.slice(head.to, last.from).every((word) => word.text !== ',')
  const between = other && gap.from === 0 ? words.slice(other.to, head.from) : undefined
  const joint = between?.every(({ pos }) => pos === 'CCONJ' || pos === 'DET') === true
  return { from: joint && other ? other.from : head.from, to: attached ? last.to : head.to }
}

const RELATIVE: ReadonlySet<string> = new Set(['who', 'which', 'that'])
const PRONOUNS: ReadonlySet<string> = new Set([
  ...'i you he she it we they this these those there what'.split(' '),
  ...RELATIVE,
])
