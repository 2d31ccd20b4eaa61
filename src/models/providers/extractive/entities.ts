import type { RelatedEvent } from '../../../tasks/hlgraphrag.ts'
import { type Language, type Sentence, textOf } from './language.ts'
import { closest } from './overlap.ts'
import { type Mention, mentions } from './phrases.ts'
import { predicate, statements } from './statements.ts'
import { centralSentences } from './summary.ts'

/** Names and repeated or telling noun phrases, each described by the first sentences that mention it. */
export const describedEntities = (sentences: readonly Sentence[]): readonly { name: string; description: string }[] =>
  mentioned(sentences)
    .filter(({ kind, name, where }) => kind === 'name' || (kind === 'noun' && (where.length > 1 || name.includes(' '))))
    .map(({ name, where }) => {
      const told = where.slice(0, MOST_SENTENCES).map(({ text }) => text)
      return { name, description: told.join(' ') }
    })

/** Names, dates, numbers and repeated noun phrases; all noun phrases where there is nothing else. */
export function namesIn(sentences: readonly Sentence[]): readonly string[] {
  const all = mentioned(sentences)
  const named = all.filter(({ kind, name, where }) =>
    kind === 'noun' ? where.length > 1 : kind === 'name' || /\d/.test(name),
  )
  return (named.length > 0 ? named : all).map(({ name }) => name)
}

/** What is mentioned, in the order of first mention; upper and lower case are one. */
function mentioned(sentences: readonly Sentence[]) {
  const found = new Map<string, Pick<Mention, 'kind'> & { name: string; where: Sentence[]; place: number }>()
  for (const [place, sentence] of sentences.entries())
    for (const { kind, text } of mentions(sentence)) {
      const key = text.toLowerCase()
      const one = found.get(key) ?? { name: text, kind, where: [], place: -1 }
      if (one.place !== place) one.where.push(sentence)
      one.place = place
      found.set(key, one)
    }
  return [...found.values()]
}

/** Entities with the sentences that mention them, and neighbours in a sentence as related by that sentence. */
export function graphOf(sentences: readonly Sentence[]) {
  const entities = describedEntities(sentences).map(({ name, description }) => ({ name, type: '', description }))
  const known = new Set(entities.map(({ name }) => name.toLowerCase()))
  const relationships = sentences.flatMap((sentence) => {
    const named = mentions(sentence)
      .map(({ text }) => text)
      .filter((name) => known.has(name.toLowerCase()))
    return named.flatMap((target, place) =>
      named.slice(Math.max(0, place - 1), place).map((source) => ({
        ...{ source, target, description: sentence.text, strength: 1 },
      })),
    )
  })
  const apart = relationships.filter(({ source, target }) => source.toLowerCase() !== target.toLowerCase())
  return { entities, relationships: apart }
}

/** Clauses whose sentence has a date, or says why: with the subject and the first thing named behind the verb. */
export const eventsIn = (sentences: readonly Sentence[]): readonly RelatedEvent[] =>
  statements(sentences).flatMap((statement) => {
    const { sentence, clause, subject } = statement
    const date = sentence.quantities.find(({ kind }) => kind === 'date')
    const [, why = ''] = /\b(?:because|since) ([^.,;]+)/i.exec(sentence.text) ?? []
    if (!date && why === '') return []
    const object = clause.complements.find(({ kind }) => kind === 'name' || kind === 'noun')
    const said = predicate(statement)
    // of a regular verb alone the passive is known
    const [verb = ''] = /^\S+ed(?= )/.exec(said) ?? []
    return {
      event: `${subject} ${said}`.trim(),
      reverse: object && verb !== '' ? `${textOf(sentence, object)} was ${verb} by ${subject}` : '',
      object1: subject,
      object2: object ? textOf(sentence, object) : '',
      why,
      time: date ? textOf(sentence, date) : '',
    }
  })

/** A report of the central sentences; the title names what is mentioned first, the rating grows with the text. */
export function reportOn(language: Language, context: string) {
  const told = proseOf(context)
  const central = centralSentences(told.flatMap(language.read), REPORTED_SENTENCES)
  const [first = context.trim().slice(0, 200) || '–', ...others] = central
  const names = new Set(mentions(language.line(central.join(' '))).map(({ text }) => text))
  return {
    title: [...names].slice(0, 2).join(' and ') || first.slice(0, 60),
    summary: [first, ...others.slice(0, 1)].join(' '),
    rating: Math.min(10, 1 + Math.floor(told.length / 5)),
    findings: central.map((sentence) => ({
      summary: sentence.replace(/[,;:]\s.*$/, '').replace(/[.!?]+$/, ''),
      explanation: sentence,
    })),
  }
}

/** The sentences of a table, each once, those nearest to a question first, and how much they share, 0 to 100. */
export function pointsIn(language: Language, question: string, table: string) {
  const found = closest(language.line(question), proseOf(table).flatMap(language.read))
  return [...new Map(found.map((one) => [one.sentence.text, one])).values()].map(({ sentence, share }) => ({
    ...{ sentence, share, score: Math.round(100 * share) },
  }))
}

/** What is told in a table: of each row the longest field; of another line the line without marks of a heading. */
const proseOf = (table: string): readonly string[] =>
  table
    .split('\n')
    .filter((line) => !/^-{3,}/.test(line))
    .map((line) => (/^\d+[,|]/.test(line) ? longestField(line) : line.replace(/^#+\s*/, '').replace(/"?$/, '')))
    .filter((line) => /\s\S+\s/.test(line))

const longestField = (line: string): string =>
  (line.match(/"(?:[^"]|"")*"?|[^,|"]+/g) ?? [])
    .map((field) => field.replace(/^"|"$/g, '').replaceAll('""', '"').trim())
    .reduce((longest, field) => (field.length > longest.length ? field : longest), '')

/** UnWeaver: "in at most three sentences". */
const MOST_SENTENCES = 3
const REPORTED_SENTENCES = 6
