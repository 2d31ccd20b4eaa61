import type { ExtractTriplesInput, Triple } from '../../../tasks/open-ie.ts'
import { appositions } from './language/appositions.ts'
import type { Language } from './language/language.ts'
import { type Statement, statements } from './language/references.ts'
import { type Sentence, type Span, textOf } from './language/sentence.ts'

/** Subject, verb and each complement of every clause; those that hold a named entity where any does, else all. */
export const triples = (language: Language, { passage, entities }: ExtractTriplesInput): string =>
  JSON.stringify({ triples: factsAround(language, passage, entities) })

/** The same as a list. */
export function factsAround(language: Language, passage: string, entities: readonly string[]): readonly Triple[] {
  const all = distinct(factsOf(language.read(passage)))
  const names = entities.map((entity) => entity.toLowerCase()).filter((name) => name !== '')
  const named = all.filter(([subject, , object]) =>
    names.some((name) => subject.toLowerCase().includes(name) || object.toLowerCase().includes(name)),
  )
  return named.length > 0 ? named : all
}

const factsOf = (sentences: readonly Sentence[]): readonly Triple[] => [
  ...sentences.flatMap((sentence) =>
    appositions(sentence).map(({ name, told }): Triple => [
      textOf(sentence, name),
      'is',
      plain(textOf(sentence, told)),
    ]),
  ),
  ...statements(sentences)
    .filter(({ named }) => named)
    .flatMap(triplesOf),
]

function triplesOf({ sentence, clause, subject, object }: Statement): readonly Triple[] {
  const words = (span: Span | undefined) => (span ? textOf(sentence, span) : '')
  const verb = words(clause.verb)
  const direct: readonly Triple[] = object === undefined ? [] : [[plain(subject), verb, plain(object)]]
  return [
    ...direct,
    ...clause.complements.map((complement): Triple => [
      plain(subject),
      `${verb} ${words(complement.preposition)}`.trim(),
      words(complement),
    ]),
  ]
}

const distinct = (triples: readonly Triple[]): readonly Triple[] => [
  ...new Map(triples.map((triple) => [JSON.stringify(triple).toLowerCase(), triple])).values(),
]

const plain = (text: string): string => text.replace(ARTICLE, '')
const ARTICLE = /^(?:the|an?)\s+/i
