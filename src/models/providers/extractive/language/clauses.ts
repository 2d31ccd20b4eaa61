import { type Opening, openingOf } from './openings.ts'
import { type Mention, mentions } from './phrases.ts'
import { prepositionBefore } from './prepositions.ts'
import type { Sentence, Span, Word } from './sentence.ts'

/** Who does what: one verb group of a sentence with its subject and complements, as spans without their articles. */
export interface Clause {
  /** Absent where nothing before the verb can be one. */
  readonly subject?: Span
  /** Auxiliaries, negation, adverbs and the main verb, which is the last word. */
  readonly verb: Span
  readonly complements: readonly Complement[]
  /** From behind the verb to the end of the clause, without punctuation. */
  readonly rest: Span
}

/** A noun phrase, date or number behind a verb, with the preposition that leads to it, if any. */
export interface Complement extends Span {
  readonly kind: Mention['kind']
  readonly preposition?: Span
}

/** The clauses of a sentence in order, found by the order of its parts of speech: shallow, and wrong where English is not plain. */
export function clauses(sentence: Sentence): readonly Clause[] {
  const { words } = sentence
  const nouns = mentions(sentence)
  const verbs = verbGroups(words)
  const opened: Opening[] = []
  for (const [index, verb] of verbs.entries())
    opened.push(openingOf(words, nouns, { from: verbs[index - 1]?.to ?? 0, to: verb.from }, opened.at(-1)?.subject))
  return verbs.map((verb, index) => {
    const next = opened[index + 1]
    const end = next ? clauseStart(words, next.at, verb.to) : words.length
    const rest = { from: verb.to, to: withoutPunctuation(words, verb.to, end) }
    const subject = opened[index]?.subject
    return { ...(subject && { subject }), verb, complements: complementsOf(words, nouns, rest), rest }
  })
}

/** Runs of auxiliaries, negations, adverbs and verbs, from the first verb to the last: "did not want to go". A lone "-ing" makes no clause. */
function verbGroups(words: readonly Word[]): readonly Span[] {
  const groups: Span[] = []
  for (let from = 0; from < words.length; from++) {
    if (!isVerb(words, from)) continue
    let to = from + 1
    for (let next = to; isVerb(words, next) || JOINING.has(words[next]?.pos ?? 'X'); next++)
      if (isVerb(words, next)) to = next + 1
    if (to - from > 1 || !words[from]?.text.endsWith('ing')) groups.push({ from, to })
    from = to - 1
  }
  return groups
}

/** A verb that is not a part of a compound such as "GPU-based". */
function isVerb(words: readonly Word[], index: number): boolean {
  const pos = words[index]?.pos
  return (pos === 'VERB' || pos === 'AUX') && words[index - 1]?.text !== '-' && words[index + 1]?.text !== '-'
}

/** Back over articles, conjunctions and commas that lead into a clause. */
function clauseStart(words: readonly Word[], start: number, least: number): number {
  let at = start
  while (at > least && LEADING.has(words[at - 1]?.pos ?? 'X')) at--
  return at
}

function withoutPunctuation(words: readonly Word[], from: number, to: number): number {
  let end = to
  while (end > from && (words[end - 1]?.pos === 'PUNCT' || words[end - 1]?.pos === 'CCONJ')) end--
  return end
}

function complementsOf(words: readonly Word[], nouns: readonly Mention[], rest: Span): readonly Complement[] {
  const found: Complement[] = []
  const bracket = words.findIndex((word, index) => index >= rest.from && word.text === '(')
  const aside = bracket < 0 ? words.length : bracket
  for (const { kind, from, to } of nouns) {
    if (from < rest.from || to > rest.to || from > aside) continue
    const last = found.at(-1)
    const lead = words.slice(last?.to ?? rest.from, from).filter((word) => word.pos !== 'DET' && word.text !== ',')
    const preposition = prepositionBefore(words, from, last?.to ?? rest.from)
    if (last && lead.length === 1 && lead[0]?.text === 'of') found.splice(-1, 1, { ...last, to })
    else if (preposition) found.push({ kind, from, to, preposition })
    else if (last?.preposition && lead.every((word) => word.pos === 'CCONJ'))
      found.push({ kind, from, to, preposition: last.preposition })
    else found.push({ kind, from, to })
  }
  return found
}

const JOINING: ReadonlySet<string> = new Set(['ADV', 'PART'])
const LEADING: ReadonlySet<string> = new Set(['DET', 'CCONJ', 'SCONJ', 'PUNCT', 'PRON', 'ADV', 'ADP'])
