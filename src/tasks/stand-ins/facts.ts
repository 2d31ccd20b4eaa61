import { mentionsIn, type Mention } from './names.ts'
import { read, type Sentence } from './reading.ts'

/** A fact of a sentence; `object`: the next name, date or number, else the end of the sentence. */
export interface Fact {
  readonly sentence: Sentence
  readonly subject: string
  readonly predicate: string
  readonly object: string
  readonly isDate: boolean
}

/** The facts of sentences by word order; a pronoun at the beginning refers to the first name before it. */
export function factsOf(sentences: readonly Sentence[]): readonly Fact[] {
  let topic: string | undefined
  return sentences.flatMap((sentence) => {
    const mentions = withTopic(sentence, topic)
    topic = mentions.find(({ kind }) => kind === 'name')?.text ?? topic
    const facts = mentions.flatMap((subject, at) => factOf(sentence, subject, mentions[at + 1]))
    return facts.map((fact) => ({ sentence, ...fact }))
  })
}

/** "The keeper of the lighthouse was …": a noun phrase before an auxiliary is one name. */
function withTopic(sentence: Sentence, topic: string | undefined): readonly Mention[] {
  const [pronoun] = /^(?:He|She|It|They)\b/.exec(sentence.text) ?? []
  const [phrase] =
    /^(?:The|An?) [^,;:]{1,60}?(?= (?:is|are|was|were|has|had|can|could|will|would) )/.exec(sentence.text) ?? []
  const text = pronoun === undefined ? phrase && phrase.charAt(0).toLowerCase() + phrase.slice(1) : topic
  const end = (pronoun ?? phrase ?? '').length
  const mentions = mentionsIn(sentence)
  if (text === undefined) return mentions
  return [{ kind: 'name', text, start: 0, end }, ...mentions.filter(({ start }) => start >= end)]
}

function factOf({ text }: Sentence, subject: Mention, object: Mention | undefined): readonly Omit<Fact, 'sentence'>[] {
  if (subject.kind !== 'name') return []
  const between = text.slice(subject.end, object?.start)
  if (object !== undefined) {
    const predicate = trimPhrase(between).replace(/ (?:the|an?)$/i, '')
    const isNone = /^(?:and\b|or\b|$)/i.test(predicate)
    if (isNone || predicate.length > longestPredicate) return []
    return [{ subject: subject.text, predicate, object: object.text, isDate: object.kind === 'date' }]
  }
  const [, predicate = '', rest = ''] =
    /^((?:\S+ )??\S+) (.+)$/.exec(trimPhrase(between).replace(auxiliary, '$1\u00a0')) ?? []
  return rest === '' || predicate.length > longestPredicate
    ? []
    : [{ subject: subject.text, predicate: predicate.replace('\u00a0', ' '), object: rest, isDate: false }]
}

const trimPhrase = (text: string) =>
  text.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}%]+$/gu, '').replace(/^(?:who|which|that) /, '')

const auxiliary = /^(is|are|was|were|has|had|can|could|will|would|did|does) /

const longestPredicate = 80

/** Distinct facts with one of the entities; all facts if none has one. */
export function triplesOf(text: string, entities: readonly string[]): readonly (readonly [string, string, string])[] {
  const all = factsOf(read(text)).map(({ subject, predicate, object }) => [subject, predicate, object] as const)
  const distinct = [...new Map(all.map((triple) => [triple.join('\n').toLowerCase(), triple])).values()]
  const names = entities.map((entity) => entity.toLowerCase()).filter((name) => name !== '')
  const withEntity = distinct.filter(([subject, , object]) =>
    names.some((name) => `${subject}\n${object}`.toLowerCase().includes(name)),
  )
  return withEntity.length > 0 ? withEntity : distinct
}

/** Triples as relations of two objects; `reverse` reads a regular verb in the passive. */
export const relationsOf = (text: string, subjects: readonly string[]) =>
  triplesOf(text, subjects).map(([object1, meaning, object2]) => ({
    meaning,
    object1,
    object2,
    reverse: /^\S+ed$/.test(meaning) ? `was ${meaning} by` : `(${meaning})`,
  }))

/** Sentences with a date, or with a reason, as events of the first two names in them. */
export const eventsIn = (text: string) =>
  read(text).flatMap((sentence) => {
    const mentions = mentionsIn(sentence)
    const [first, second] = mentions.filter(({ kind }) => kind === 'name')
    const time = mentions.find(({ kind }) => kind === 'date')?.text ?? ''
    const [, why = ''] = /\b(?:because|since) ([^.,;]+)/i.exec(sentence.text) ?? []
    const event = sentence.text.replace(/[.!?]+$/, '')
    if ((time === '' && why === '') || event === '') return []
    return [{ event, object1: first?.text ?? '', object2: second?.text ?? '', why, time, reverse: '' }]
  })
