import { factsOf, type Fact } from './facts.ts'
import { namesIn } from './names.ts'
import { read } from './reading.ts'
import { byCentrality } from './summaries.ts'

/** Questions about facts, of central sentences first; then questions about names, without an answer. */
export function questionsAbout(text: string) {
  const sentences = read(text)
  const facts = factsOf(sentences)
  const lists = Array.from(byCentrality(sentences), (central) =>
    facts.filter(({ sentence }) => sentence === central).flatMap(questionsOf),
  )
  // interleaves the questions of all sentences, to cover the text
  const turns = Math.max(0, ...lists.map((list) => list.length))
  const precise = Array.from({ length: turns }, (_, turn) => lists.flatMap((list) => list.slice(turn, turn + 1))).flat()
  const vague = [...namesIn(text), ...sentences.map((sentence) => sentence.text.slice(0, 60).trim())]
    .filter((name) => /\p{L}/u.test(name))
    .map((name) => ({ question: `What is said about ${name}?`, answer: '', evidence: '' }))
  const distinct = new Map([...precise, ...vague].toReversed().map((item) => [item.question.toLowerCase(), item]))
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
