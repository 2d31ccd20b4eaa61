import type {
  ListSubjectsInput,
  RelateSubjectsInput,
  RelatedEvent,
  RelateEventsInput,
  SplitIdeasInput,
} from '../../../tasks/hlgraphrag.ts'
import { namesIn } from './entities.ts'
import type { Language } from './language/language.ts'
import { predicate, type Statement, statements } from './language/references.ts'
import { textOf } from './language/sentence.ts'
import { factsAround } from './triples.ts'

/** Names, dates and repeated noun phrases are subjects; clauses whose sentence has a date, or says why, are events. */
export function subjects(language: Language, { text }: ListSubjectsInput): string {
  const events = happenings(language, text).map(({ event }) => event)
  return JSON.stringify({ subjects: namesIn(language, text), events })
}

/** The facts of a text as relations; for the way back a regular verb in the passive, otherwise the verb in brackets. */
export function relations(language: Language, { text, subjects }: RelateSubjectsInput, bothWays: boolean): string {
  const relations = factsAround(language, text, subjects).map(([object1, meaning, object2]) => ({
    ...{ meaning, object1, object2 },
    ...(bothWays && { reverse: passive(meaning) }),
  }))
  return JSON.stringify({ relations })
}

/** The events of a text with the subject and the first thing named behind the verb. */
export const events = (language: Language, { text }: RelateEventsInput): string =>
  JSON.stringify({ events: happenings(language, text) })

/** The sentences of a message are its ideas. */
export const ideas = (language: Language, { message, most }: SplitIdeasInput): string =>
  JSON.stringify(
    language
      .read(message)
      .slice(0, most)
      .map(({ text }) => text),
  )

const happenings = (language: Language, text: string): readonly RelatedEvent[] =>
  statements(language.read(text)).flatMap((statement) => {
    const { sentence, clause, subject } = statement
    const date = sentence.quantities.find(({ kind }) => kind === 'date')
    const [, why = ''] = REASON.exec(sentence.text) ?? []
    if (!date && why === '') return []
    const object = clause.complements.find(({ kind }) => kind === 'name' || kind === 'noun')
    return {
      event: eventOf(statement),
      object1: subject,
      object2: object ? textOf(sentence, object) : '',
      why,
      time: date ? textOf(sentence, date) : '',
    }
  })

const eventOf = (statement: Statement): string => `${statement.subject} ${predicate(statement)}`.trim()

const passive = (verb: string): string => (/^\S+ed$/.test(verb) ? `was ${verb} by` : `(${verb})`)

const REASON = /\b(?:because|since) ([^.,;]+)/i
