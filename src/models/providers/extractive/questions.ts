import type { DraftedQuestion } from '../../../tasks/pieces.ts'
import { type Sentence, type Span, textOf, wordSet } from './language.ts'
import { coordinated, isPerson, phrases } from './phrases.ts'
import { type Complement, predicate, type Statement, statements } from './statements.ts'
import { byCentrality } from './summary.ts'

/** Questions for one part of a clause, of central sentences first; then, without an answer, on noun phrases. */
export function questionsAbout(sentences: readonly Sentence[]): readonly DraftedQuestion[] {
  const asked = new Map(sentences.map((_, place): [number, DraftedQuestion[]] => [place, []]))
  for (const statement of statements(sentences)) asked.get(statement.place)?.push(...asking(statement))
  const order = byCentrality(sentences)
  const precise = inTurns(order.map((place) => asked.get(place) ?? []))
  const vague = order
    .flatMap((place) => sentences.slice(place, place + 1))
    .flatMap((sentence) =>
      phrases(sentence).map(({ text }) => ({
        ...{ question: `What is said about ${text}?`, answer: '', evidence: sentence.text },
      })),
    )
  const distinct = new Map<string, DraftedQuestion>()
  for (const one of [...precise, ...vague]) {
    const key = one.question.toLowerCase()
    if (!distinct.has(key)) distinct.set(key, one)
  }
  return [...distinct.values()]
}

/** The first of every list, then the second of every list, and so on: a text is asked about all over. */
function inTurns<T>(lists: readonly (readonly T[])[]): readonly T[] {
  const turns = Math.max(0, ...lists.map((list) => list.length))
  return Array.from({ length: turns }, (_, turn) => lists.flatMap((list) => list.slice(turn, turn + 1))).flat()
}

/** A clause asked for each of its complements, then for its subject. */
function asking(statement: Statement): readonly DraftedQuestion[] {
  const { sentence, clause, isNamed, subject } = statement
  if (!isNamed || clause.complements.length === 0) return []
  const who = clause.subject && isPerson(sentence, clause.subject) ? 'Who' : 'What'
  return [
    ...rows(statement).flatMap((row) =>
      askingFor(statement, row).map((question) => ({
        ...{ question, answer: textOf(sentence, row), evidence: sentence.text },
      })),
    ),
    {
      question: `${who} ${predicate(statement).replace(ASIDE, '')}?`,
      ...{ answer: subject, evidence: sentence.text },
    },
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
function askingFor(statement: Statement, complement: Complement): readonly string[] {
  const verb = inverted(statement)
  if (!verb) return []
  const { sentence, clause, subject, object = '' } = statement
  const word = questionWord(sentence, complement)
  const told = clause.rest.from + (object === '' ? 0 : 1)
  const isWhole = word === 'When' || word === 'Where'
  const from = (isWhole ? complement.preposition?.from : undefined) ?? withLead(sentence, complement, told)
  const lead = textOf(sentence, { from: told, to: from })
  const isCopular = sentence.words[clause.verb.to - 1]?.lemma === 'be'
  // "What is the mill in Kent?" would be another question
  const isAlone = isCopular && (isWhole || lead === '')
  const [before, after] = isAlone ? ['', ''] : [lead, textOf(sentence, { from: complement.to, to: clause.rest.to })]
  const parts = [word, verb.auxiliary, subject, verb.tail, object, before, after.replace(ASIDE, '')]
  const asked = parts.filter((part) => part !== '').join(' ')
  return [`${asked.replace(/ ([,;:])/g, '$1')}?`]
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
  const form = first.text.toLowerCase()
  if (first.pos === 'AUX') return { auxiliary: form, tail }
  if (form.endsWith('ing')) return undefined
  const auxiliary = form === first.lemma ? 'do' : form.endsWith('s') ? 'does' : 'did'
  return { auxiliary, tail: `${first.lemma} ${tail}`.trim() }
}

/** Where a complement starts with its article and whatever else leads to it. */
function withLead({ words }: Sentence, { from }: Span, least: number): number {
  let start = from
  while (start > least && /^(?:DET|PRON)$/.test(words[start - 1]?.pos ?? '')) start--
  return start
}

/** What stands in brackets, to the end. */
const ASIDE = /\s*\(.*$/
const PLACES = wordSet('in at on near from to')
