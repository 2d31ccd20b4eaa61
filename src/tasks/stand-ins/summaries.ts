import { countEach } from '../../basics/collections.ts'
import { capitalisedNames } from './names.ts'
import { closest, isHeading, line, read, type Sentence } from './reading.ts'

/**
 * Yields the sentences by centrality: terms count by the number of sentences that share them. Terms of
 * yielded sentences stop counting, which avoids repetition.
 */
export function* byCentrality(sentences: readonly Sentence[]): Generator<Sentence> {
  const worth = countEach(sentences.flatMap(({ terms }) => [...terms]))
  const scoreOf = ({ text, terms }: Sentence) => {
    const sum = [...terms].reduce((total, term) => total + (worth.get(term) ?? 0), 0)
    const isBroken = /^[\p{Ll},.;:)]/u.test(text)
    return (sum / Math.sqrt(1 + terms.size)) * (isBroken ? 0.5 : 1)
  }
  const candidates = [...sentences]
  while (candidates.length > 0) {
    const scores = candidates.map(scoreOf)
    for (const sentence of candidates.splice(scores.indexOf(Math.max(...scores)), 1)) {
      for (const term of sentence.terms) worth.set(term, 0)
      yield sentence
    }
  }
}

/** The `most` most central distinct sentences, in text order. */
export function centralSentences(all: readonly Sentence[], most: number): readonly string[] {
  const sentences = proseOf(all)
  const selection: Sentence[] = []
  for (const sentence of byCentrality(sentences)) {
    if (selection.length >= most) break
    selection.push(sentence)
  }
  return textsOf(sentences, selection)
}

/** The most central of the sentences with the largest overlap with a request. */
export const summaryFor = (request: string, context: string): string => {
  const near = closest(request, read(context)).slice(0, sentencesRead)
  const inOrder = near.sort((a, b) => a.place - b.place).map(({ sentence }) => sentence)
  return centralSentences(inOrder, sentencesOfAnswer).join(' ') || 'The answer is not known.'
}

const sentencesRead = 24
const sentencesOfAnswer = 6

/** Central sentences in text order, at most `most` by `count`; a prefix of the first if none fits. */
export function shorten(all: readonly Sentence[], most: number, count: (text: string) => number): string {
  const sentences = proseOf(all)
  const selection: Sentence[] = []
  let room = most
  let first: string | undefined
  for (const sentence of byCentrality(sentences)) {
    first ??= sentence.text
    const cost = count(` ${sentence.text}`)
    // joined sentences can have more tokens
    if (cost > room || count(textsOf(sentences, [...selection, sentence]).join(' ')) > most) continue
    selection.push(sentence)
    room -= cost
    if (room < minRoom) break
  }
  return selection.length > 0 ? textsOf(sentences, selection).join(' ') : beginning(first ?? '', most, count)
}

/** Minimum room for another sentence. */
const minRoom = 4

/** The texts of a selection, in text order. */
const textsOf = (sentences: readonly Sentence[], selection: readonly Sentence[]) =>
  sentences.filter((sentence) => selection.includes(sentence)).map(({ text }) => text)

function beginning(text: string, most: number, count: (text: string) => number) {
  let longest = 0
  let tooLong = text.length + 1
  while (tooLong - longest > 1) {
    const middle = (longest + tooLong) >> 1
    if (count(text.slice(0, middle)) <= most) longest = middle
    else tooLong = middle
  }
  if (longest >= text.length) return text
  const start = text.slice(0, longest)
  const end = start.lastIndexOf(' ')
  return (end > 0 ? start.slice(0, end) : start.replace(/[\uD800-\uDBFF]$/, '')).trim()
}

function proseOf(sentences: readonly Sentence[]): readonly Sentence[] {
  const byText = new Map(sentences.map((sentence) => [sentence.text, sentence]))
  const distinct = [...byText.values()]
  const prose = distinct.filter((sentence) => !isHeading(sentence))
  return prose.length > 0 ? prose : distinct
}

/** A report of the central sentences, titled by the first names; the rating grows with the length. */
export function reportOn(context: string) {
  const prose = rowsOf(context)
  const central = centralSentences(read(prose.join('\n\n')), 6)
  const [first = context.trim().slice(0, 200) || '–', second = ''] = central
  const names = new Set(central.flatMap((sentence) => capitalisedNames(line(sentence))))
  return {
    title: [...names].slice(0, 2).join(' and ') || first.slice(0, 60),
    summary: `${first} ${second}`.trim(),
    rating: Math.min(10, 1 + Math.floor(prose.length / 5)),
    findings: central.map((explanation) => ({ summary: explanation.replace(/[,;:]\s.*$/, ''), explanation })),
  }
}

/** The distinct sentences of a table by their overlap with a question, scored from 0 to 100. */
export function pointsIn(question: string, table: string) {
  const points = closest(question, read(rowsOf(table).join('\n\n')))
    .filter(({ sentence, share }) => share > 0 && !isHeading(sentence))
    .map(({ sentence, share }) => ({ description: sentence.text, score: Math.round(100 * share) }))
  const byDescription = new Map(points.map((point) => [point.description, point]))
  return [...byDescription.values()]
}

/** An answer of the two best points, and follow-up questions about their names. */
export function answerWithQuestions(question: string, context: string, most: number) {
  const best = pointsIn(question, context).slice(0, 2)
  const names = best.flatMap(({ description }) => capitalisedNames(line(description)))
  const questions = names
    .filter((name) => !question.toLowerCase().includes(name.toLowerCase()))
    .map((name) => `What is known of ${name}?`)
  return {
    answer: best.map(({ description }) => description).join(' '),
    score: best[0]?.score ?? 0,
    follow_up_questions: [...new Set(questions)].slice(0, Math.min(most, 2)),
  }
}

const rowsOf = (table: string) =>
  table
    .split('\n')
    .filter((row) => !/^-{3,}/.test(row))
    .map(proseOfRow)
    .filter((row) => /\s\S+\s/.test(row))

const proseOfRow = (row: string) =>
  /^\d+[,|]/.test(row) ? longestField(row) : row.replace(/^#+\s*/, '').replace(/"?$/, '')

const longestField = (row: string) =>
  (row.match(/"(?:[^"]|"")*"?|[^,|"]+/g) ?? [])
    .map((field) => field.replace(/^"|"$/g, '').replaceAll('""', '"').trim())
    .reduce((longest, field) => (field.length > longest.length ? field : longest), '')
