import { mentionsIn, namesIn, type Mention } from './names.ts'
import { read, type Sentence } from './reading.ts'
import { byCentrality } from './summaries.ts'

/** A fact of a sentence; `object`: the next name, date or number, else the end of the sentence. */
interface Fact {
  readonly sentence: Sentence
  readonly subject: string
  readonly predicate: string
  readonly object: string
  readonly isDate: boolean
}

/** The facts of sentences by word order; a pronoun at the beginning refers to the first name before it. */
function factsOf(sentences: readonly Sentence[]): readonly Fact[] {
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
  const byKey = new Map(all.map((triple) => [triple.join('\n').toLowerCase(), triple]))
  const distinct = [...byKey.values()]
  const names = entities.map((entity) => entity.toLowerCase()).filter((name) => name !== '')
  const withEntity = distinct.filter(([subject, , object]) => {
    const ends = `${subject}\n${object}`.toLowerCase()
    return names.some((name) => ends.includes(name))
  })
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

/** Questions about facts, of central sentences first; then questions about names, without an answer. */
export function questionsAbout(text: string) {
  const sentences = read(text)
  const facts = factsOf(sentences)
  const lists = Array.from(byCentrality(sentences), (central) =>
    facts.filter(({ sentence }) => sentence === central).flatMap(questionsOf),
  )
  // interleaves the questions of all sentences, to cover the text
  const turns = Math.max(0, ...lists.map((list) => list.length))
  const turnOf = (turn: number) => lists.flatMap((list) => list.slice(turn, turn + 1))
  const precise = Array.from({ length: turns }, (_, turn) => turnOf(turn)).flat()
  const vague = [...namesIn(text), ...sentences.map((sentence) => sentence.text.slice(0, 60).trim())]
    .filter((name) => /\p{L}/u.test(name))
    .map((name) => ({ question: `What is said about ${name}?`, answer: '', evidence: '' }))
  const questions = [...precise, ...vague].toReversed()
  const distinct = new Map(questions.map((item) => [item.question.toLowerCase(), item]))
  return [...distinct.values()].toReversed()
}

/** Asks for the subject of a fact ("Tarn was founded in 1642"), and for the object if there is an auxiliary. */
function questionsOf({ sentence, subject, predicate, object, isDate }: Fact) {
  const evidence = sentence.text
  const pronoun = /^\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+$/u.test(subject) ? 'Who' : 'What'
  const ofSubject = { question: `${pronoun} ${predicate} ${object}?`, answer: subject, evidence }
  const [, verb = '', tail = ''] = /^(is|are|was|were|has|had|can|could|will|would) ?(.*)$/.exec(predicate) ?? []
  if (verb === '') return [ofSubject]
  const word = isDate ? 'When' : 'What'
  const rest = isDate ? tail.replace(/ ?\b(?:in|on|at|since)$/, '') : tail
  const ofObject = { question: `${word} ${verb} ${subject} ${rest}`.trim(), answer: object, evidence }
  return [{ ...ofObject, question: `${ofObject.question}?` }, ofSubject]
}

/** The question number `index`, cyclic; empty without questions. */
export function questionAbout(text: string, index: number): string {
  const questions = questionsAbout(text)
  return questions[index % Math.max(1, questions.length)]?.question ?? ''
}
