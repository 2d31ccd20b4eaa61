import type { UtilityQuestionsInput } from '../../../tasks/utility-questions.ts'
import type { Complement } from './language/clauses.ts'
import type { Language } from './language/language.ts'
import { isPerson } from './language/people.ts'
import { coordinated, phrases } from './language/phrases.ts'
import { predicate, type Statement, statements } from './language/references.ts'
import { salience } from './language/salience.ts'
import { type Sentence, type Span, textOf } from './language/sentence.ts'

/** Questions made by asking for one part of a clause, of central sentences first; then what is said about the noun phrases. */
export const questions = (language: Language, { text, count }: UtilityQuestionsInput): string =>
  JSON.stringify(questionsAbout(language, text).slice(0, count))

/** All of them, each once. */
export function questionsAbout(language: Language, text: string): readonly string[] {
  const sentences = language.read(text)
  const worth = salience(sentences)
  const order = [...sentences.keys()].sort((a, b) => (worth[b] ?? 0) - (worth[a] ?? 0) || a - b)
  const asked = sentences.map((): string[] => [])
  for (const statement of statements(sentences))
    asked[statement.place]?.push(...answeredQuestions(statement).map(({ question }) => question))
  const precise = inTurns(order.map((place) => asked[place] ?? []))
  const vague = order.flatMap((place) =>
    phrases(sentences[place] ?? NOTHING).map((phrase) => `What is said about ${phrase.text}?`),
  )
  const distinct = new Map<string, string>()
  for (const question of [...precise, ...vague])
    if (!distinct.has(question.toLowerCase())) distinct.set(question.toLowerCase(), question)
  return [...distinct.values()]
}

/** The first of every list, then the second of every list, and so on: a text is asked about all over. */
export function inTurns<T>(lists: readonly (readonly T[])[]): readonly T[] {
  const turns = Math.max(0, ...lists.map((list) => list.length))
  return Array.from({ length: turns }, (_, turn) => lists.flatMap((list) => list.slice(turn, turn + 1))).flat()
}

/** A question about a clause, and the part of the clause that it asks for. */
interface AnsweredQuestion {
  readonly question: string
  readonly answer: string
}

/** A clause asked for each of its complements, then for its subject. */
export function answeredQuestions(statement: Statement): readonly AnsweredQuestion[] {
  const { sentence, clause, named, subject } = statement
  if (!named || clause.complements.length === 0) return []
  const who = clause.subject && isPerson(sentence, clause.subject) ? 'Who' : 'What'
  return [
    ...rows(statement).flatMap((row) =>
      asking(statement, row).map((question) => ({ question, answer: textOf(sentence, row) })),
    ),
    { question: `${who} ${predicate(statement).replace(ASIDE, '')}?`, answer: subject },
  ]
}

/** Complements; "polonium and radium" is one. */
function rows({ sentence, clause }: Statement): readonly Complement[] {
  const joined: Complement[] = []
  for (const complement of clause.complements) {
    const last = joined.at(-1)
    if (last && coordinated(sentence, last, complement)) joined.splice(-1, 1, { ...last, to: complement.to })
    else joined.push(complement)
  }
  return joined
}

/** "The lighthouse was built in 1871": asked for 1871, "When was the lighthouse built?". */
function asking(statement: Statement, complement: Complement): readonly string[] {
  const verb = inverted(statement)
  if (!verb) return []
  const { sentence, clause, subject, object = '' } = statement
  const word = questionWord(sentence, complement)
  const told = clause.rest.from + (object === '' ? 0 : 1)
  const whole = word === 'When' || word === 'Where'
  const from = (whole ? complement.preposition?.from : undefined) ?? withLead(sentence, complement, told)
  const lead = textOf(sentence, { from: told, to: from })
  const alone = copular(statement) && (whole || lead === '') // "What is the mill in Kent?" would be another question
  const [before, after] = alone ? ['', ''] : [lead, textOf(sentence, { from: complement.to, to: clause.rest.to })]
  const parts = [word, verb.auxiliary, subject, verb.tail, object, before, after.replace(ASIDE, '')]
  return [
    `${parts
      .filter((part) => part !== '')
      .join(' ')
      .replace(/ ([,;:])/g, '$1')}?`,
  ]
}

function questionWord(sentence: Sentence, { kind, from, to, preposition }: Complement): string {
  const before = preposition ? textOf(sentence, preposition).toLowerCase() : ''
  const numbers = sentence.words.slice(from, to).findIndex((word) => word.pos !== 'NUM')
  if (kind === 'date') return 'When'
  if (kind === 'name' && PLACES.has(before) && !isPerson(sentence, { from, to })) return 'Where'
  if (numbers > 0 && before === '') return `How many ${textOf(sentence, { from: from + numbers, to })}`
  return isPerson(sentence, { from, to }) ? 'Whom' : 'What'
}

/** The auxiliary that goes before the subject in a question, and what stays behind it. */
function inverted({ sentence, clause }: Statement): { readonly auxiliary: string; readonly tail: string } | undefined {
  const first = sentence.words[clause.verb.from]
  if (!first) return undefined
  const tail = textOf(sentence, { from: clause.verb.from + 1, to: clause.verb.to })
  if (first.pos === 'AUX') return { auxiliary: first.text.toLowerCase(), tail }
  const form = first.text.toLowerCase()
  if (form.endsWith('ing')) return undefined
  const auxiliary = form === first.lemma ? 'do' : form.endsWith('s') ? 'does' : 'did'
  return { auxiliary, tail: `${first.lemma} ${tail}`.trim() }
}

const copular = ({ sentence, clause }: Statement): boolean => sentence.words[clause.verb.to - 1]?.lemma === 'be'

/** Where a complement starts with its article and whatever else leads to it. */
function withLead({ words }: Sentence, { from }: Span, least: number): number {
  let start = from
  while (start > least && (words[start - 1]?.pos === 'DET' || words[start - 1]?.pos === 'PRON')) start--
  return start
}

/** What stands in brackets, to the end. */
const ASIDE = /\s*\(.*$/
const NOTHING: Sentence = { text: '', words: [], quantities: [] }
const PLACES: ReadonlySet<string> = new Set(['in', 'at', 'on', 'near', 'from', 'to'])
