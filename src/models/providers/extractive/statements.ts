import type { Triple } from '../../../tasks/entities.ts'
import { lower, type Sentence, type Span, textOf, wordSet, type Word } from './language.ts'
import { appositions, isPerson, type Mention, mentions, NOUNS } from './phrases.ts'

/** A clause with its pronouns written out. */
export interface Statement {
  readonly place: number
  readonly sentence: Sentence
  readonly clause: Clause
  /** With its article; a pronoun stays where nothing is known that it stands for. */
  readonly subject: string
  readonly isNamed: boolean
  /** What a pronoun right behind the verb stands for: "built it". */
  readonly object?: string
}

/** The clauses of a text that have a subject. */
export function statements(sentences: readonly Sentence[]): readonly Statement[] {
  const found: Statement[] = []
  let known: Known = {}
  for (const [place, sentence] of sentences.entries()) {
    const inside = clauses(sentence)
    for (const [index, clause] of inside.entries()) {
      if (!clause.subject) continue
      found.push({ place, sentence, clause, ...resolvedIn(sentence, clause, clause.subject, known) })
      if (!repeats(clause, inside.slice(0, index))) known = { ...known, ...introduced(sentence, clause) }
    }
  }
  return found
}

/** What is said of the subject: the verb and what follows. */
export function predicate({ sentence, clause, object }: Statement): string {
  const { verb, rest } = clause
  if (object === undefined) return textOf(sentence, { from: verb.from, to: rest.to })
  return `${textOf(sentence, verb)} ${object} ${textOf(sentence, { from: rest.from + 1, to: rest.to })}`.trim()
}

/** A span with the article or possessive before it; a capital that only the start of the sentence gave is dropped. */
export function withArticle(sentence: Sentence, { from, to }: Span): string {
  const before = sentence.words[from - 1]
  const start = before?.pos === 'DET' || POSSESSIVE.has(lower(before)) ? from - 1 : from
  const text = textOf(sentence, { from: start, to })
  const plain = start === 0 && sentence.words[start]?.pos !== 'PROPN' && !/^\p{Lu}{2}/u.test(text)
  return plain ? text.slice(0, 1).toLowerCase() + text.slice(1) : text
}

/** Subject, verb and each complement of every clause; those that hold one of the entities where any does, else all. */
export function facts(sentences: readonly Sentence[], entities: readonly string[]): readonly Triple[] {
  const found = [
    ...sentences.flatMap((sentence) =>
      appositions(sentence).map(({ name, told }): Triple => [
        textOf(sentence, name),
        'is',
        bare(textOf(sentence, told)),
      ]),
    ),
    ...statements(sentences)
      .filter(({ isNamed }) => isNamed)
      .flatMap(factsOf),
  ]
  const all = [...new Map(found.map((fact) => [JSON.stringify(fact).toLowerCase(), fact])).values()]
  const names = entities.map((entity) => entity.toLowerCase()).filter((name) => name !== '')
  const named = all.filter(([subject, , object]) =>
    names.some((name) => subject.toLowerCase().includes(name) || object.toLowerCase().includes(name)),
  )
  return named.length > 0 ? named : all
}

function factsOf({ sentence, clause, subject, object }: Statement): readonly Triple[] {
  const verb = textOf(sentence, clause.verb)
  const direct: readonly Triple[] = object === undefined ? [] : [[bare(subject), verb, bare(object)]]
  return [
    ...direct,
    ...clause.complements.map((complement): Triple => {
      const { preposition } = complement
      const relation = preposition ? `${verb} ${textOf(sentence, preposition)}` : verb
      return [bare(subject), relation, textOf(sentence, complement)]
    }),
  ]
}

const bare = (text: string): string => text.replace(/^(?:the|an?)\s+/i, '')

/** What pronouns stand for at some place: the last thing spoken of that each fits; a lone name may be a person. */
interface Known {
  readonly person?: string
  readonly thing?: string
  readonly name?: string
  readonly many?: string
}

function resolvedIn(sentence: Sentence, { verb }: Clause, span: Span, known: Known) {
  const subject = resolved(sentence, span, known)
  const object = resolved(sentence, { from: verb.to, to: verb.to + 1 }, known)
  return {
    subject: subject ?? withArticle(sentence, span),
    isNamed: subject !== undefined || !isPronoun(sentence, span),
    ...(object !== undefined && object !== subject && { object }),
  }
}

/** Whether the subject was spoken of in the same sentence before: "a bird that cannot fly". */
const repeats = ({ subject }: Clause, earlier: readonly Clause[]): boolean =>
  earlier.some(({ complements }) => complements.some(({ from }) => from === subject?.from))

function resolved(sentence: Sentence, span: Span, known: Known): string | undefined {
  if (!isPronoun(sentence, span)) return undefined
  const pronoun = lower(sentence.words[span.from])
  if (OF_PEOPLE.has(pronoun)) return known.person ?? known.name
  if (OF_THINGS.has(pronoun)) return known.thing ?? known.name
  return OF_MANY.has(pronoun) ? known.many : undefined
}

const isPronoun = ({ words }: Sentence, { from, to }: Span): boolean => to - from === 1 && words[from]?.pos === 'PRON'

/** The subject; where a person does something, what it is done to as well: "Bell built a mill. It …". */
function introduced(sentence: Sentence, { subject, complements }: Clause): Known {
  if (!subject) return {}
  const object = isPerson(sentence, subject) ? complements.find(({ preposition }) => !preposition) : undefined
  return { ...(object && spokenOf(sentence, object)), ...spokenOf(sentence, subject) }
}

function spokenOf(sentence: Sentence, span: Span): Known {
  const words = sentence.words.slice(span.from, span.to)
  const last = words.at(-1)
  if (!last || !NOUNS.has(last.pos) || POSSESSIVE.has(lower(sentence.words[span.from - 1]))) return {}
  const text = withArticle(sentence, span)
  const isPlural = words.some(({ pos }) => pos === 'CCONJ') || (last.pos === 'NOUN' && lower(last) !== last.lemma)
  if (isPlural) return { many: text }
  if (isPerson(sentence, span)) return { person: text }
  return last.pos === 'PROPN' && words.length === 1 ? { name: text } : { thing: text }
}

const POSSESSIVE = wordSet('his her its their my our your')
const OF_PEOPLE = wordSet('he she him')
const OF_THINGS = wordSet('it this')
const OF_MANY = wordSet('they them these')

/** Who does what: one verb group of a sentence with its subject and complements, as spans without their articles. */
interface Clause {
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

/** The clauses of a sentence, by the order of its parts of speech: wrong where English is not plain. */
export function clauses(sentence: Sentence): readonly Clause[] {
  const { words } = sentence
  const nouns = mentions(sentence)
  const verbs = verbGroups(words)
  const openings: ReturnType<typeof openingOf>[] = []
  for (const [index, verb] of verbs.entries()) {
    const gap = { from: verbs[index - 1]?.to ?? 0, to: verb.from }
    openings.push(openingOf(words, nouns, gap, openings.at(-1)?.subject))
  }
  return verbs.map((verb, index) => {
    const [own, next] = [openings[index], openings[index + 1]]
    const end = next ? back(words, next.at, verb.to, LEADING) : words.length
    const rest = { from: verb.to, to: back(words, end, verb.to, CLOSING) }
    const complements = complementsOf(words, nouns, rest)
    return { ...(own?.subject && { subject: own.subject }), verb, complements, rest }
  })
}

/** Runs of auxiliaries, negations, adverbs and verbs: "did not want to go". A lone "-ing" makes no clause. */
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

/** Back from `start` over words of these parts of speech, but not before `least`. */
function back(words: readonly Word[], start: number, least: number, over: ReadonlySet<string>): number {
  let at = start
  while (at > least && over.has(words[at - 1]?.pos ?? 'X')) at--
  return at
}

function complementsOf(words: readonly Word[], nouns: readonly Mention[], rest: Span): readonly Complement[] {
  const found: Complement[] = []
  const bracket = words.findIndex((word, index) => index >= rest.from && word.text === '(')
  const end = bracket < 0 ? words.length : bracket
  for (const { kind, from, to } of nouns) {
    if (from < rest.from || to > rest.to || from > end) continue
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

/** The preposition that leads to a phrase at `start`, at most articles between; none before `least`. */
function prepositionBefore(words: readonly Word[], start: number, least: number): Span | undefined {
  const at = back(words, start, least, SMALL) - 1
  return at >= least && words[at]?.pos === 'ADP' ? { from: at, to: at + 1 } : undefined
}

/** Finds the subject before a verb: by pronouns, conjunctions and parentheses, or else the nearest noun phrase. */
function openingOf(words: readonly Word[], nouns: readonly Mention[], gap: Span, before: Span | undefined) {
  const last = nouns.findLast(({ from, to }) => from >= gap.from && to <= gap.to)
  const pronoun = words.findLastIndex((word, index) => index >= gap.from && index < gap.to && PRONOUNS.has(lower(word)))
  if (pronoun >= 0 && pronoun >= (last?.to ?? 0)) {
    const antecedent = RELATIVE.has(lower(words[pronoun])) ? nouns.findLast(({ to }) => to <= pronoun) : undefined
    return { subject: antecedent ?? { from: pronoun, to: pronoun + 1 }, at: pronoun }
  }
  const closing = words[gap.to - 1]
  if (before && (closing?.text === ',' || closing?.pos === 'CCONJ')) return { subject: before, at: gap.to }
  const own = (closing?.text === ',' ? beforeComma(words, nouns, gap) : undefined) ?? nearest(words, nouns, gap)
  return { subject: own ?? before, at: own?.from ?? gap.to }
}

/** "Mount Elbrus, a volcano in Russia, is …": what stands before the first comma. */
function beforeComma(words: readonly Word[], nouns: readonly Mention[], gap: Span): Span | undefined {
  const comma = words.findIndex((word, index) => index >= gap.from && word.text === ',')
  return nouns.findLast(({ from, to }) => from >= gap.from && to <= comma)
}

/** The nearest noun phrase without a preposition, with what is attached: "the keeper of the lighthouse". */
function nearest(words: readonly Word[], nouns: readonly Mention[], gap: Span): Span | undefined {
  const inside = nouns.filter(({ from, to }) => from >= gap.from && to <= gap.to)
  const heads = inside.filter(({ from }) => {
    const preposition = prepositionBefore(words, from, gap.from)
    return !preposition || !OF_PLACE_OR_MEANS.has(lower(words[preposition.from]))
  })
  const [other, head] = [heads.at(-2), heads.at(-1)]
  if (!head) return undefined
  const last = inside.at(-1) ?? head
  const isAttached = words.slice(head.to, last.from).every((word) => word.text !== ',')
  const joint =
    other && gap.from === 0 && words.slice(other.to, head.from).every(({ pos }) => pos === 'CCONJ' || pos === 'DET')
  return { from: joint ? other.from : head.from, to: isAttached ? last.to : head.to }
}

const JOINING = wordSet('ADV PART')
const LEADING = wordSet('DET CCONJ SCONJ PUNCT PRON ADV ADP')
const CLOSING = wordSet('PUNCT CCONJ')
const SMALL = wordSet('DET PRON ADJ')
const RELATIVE = wordSet('who which that')
const PRONOUNS = wordSet('i you he she it we they this these those there what who which that')
/** Prepositions that never lead to a subject; "until" and "after" may. */
const OF_PLACE_OR_MEANS = wordSet(
  'in on at by for from with of to into onto through over under between among during without about against near',
)
