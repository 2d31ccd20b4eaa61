import type { Triple } from '../../../tasks/open-ie.ts'
import { type Clause, clauses } from './clauses.ts'
import { appositions, isPerson } from './phrases.ts'
import { lower, type Sentence, type Span, textOf, wordSet } from './language.ts'

/** A clause with its pronouns written out. */
export interface Statement {
  /** Index of its sentence. */
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

/** Without its article. */
const bare = (text: string): string => text.replace(/^(?:the|an?)\s+/i, '')

/** What the pronouns stand for at some place in a text: the last thing spoken of that each fits; a lone name may be of a person or not. */
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

/** What a pronoun stands for, if it is one and that is known. */
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
const NOUNS = wordSet('NOUN PROPN')
const OF_PEOPLE = wordSet('he she him')
const OF_THINGS = wordSet('it this')
const OF_MANY = wordSet('they them these')
