import { countEach } from '../../basics/collections.ts'
import { closest, isHeading, read, type Sentence } from './reading.ts'

/**
 * The places of the sentences, the most central first: that whose terms most sentences share. Terms of sentences that
 * were given already count no more, which keeps out what repeats them.
 */
export function* byCentrality(sentences: readonly Sentence[]): Generator<number> {
  const worth = countEach(sentences.flatMap(({ terms }) => [...terms]))
  const scoreOf = ({ text, terms }: Sentence): number => {
    const sum = [...terms].reduce((total, term) => total + (worth.get(term) ?? 0), 0)
    const isBroken = /^[\p{Ll},.;:)]/u.test(text)
    return (sum / Math.sqrt(1 + terms.size)) * (isBroken ? 0.5 : 1)
  }
  const left = [...sentences.entries()]
  while (left.length > 0) {
    const scores = left.map(([, sentence]) => scoreOf(sentence))
    for (const [place, { terms }] of left.splice(scores.indexOf(Math.max(...scores)), 1)) {
      for (const term of terms) worth.set(term, 0)
      yield place
    }
  }
}

/** So many of the most central sentences, each once, in the order of the text. */
export function centralSentences(all: readonly Sentence[], most: number): readonly string[] {
  const sentences = telling(all)
  const places: number[] = []
  for (const place of byCentrality(sentences)) {
    if (places.length >= most) break
    places.push(place)
  }
  return textsAt(sentences, places)
}

/** The most central of the sentences that share most with a request. */
export const summaryFor = (request: string, context: string): string => {
  const near = closest(request, read(context)).slice(0, sentencesRead)
  const inOrder = near.sort((a, b) => a.place - b.place).map(({ sentence }) => sentence)
  return centralSentences(inOrder, sentencesOfAnswer).join(' ') || 'The answer is not known.'
}

const [sentencesRead, sentencesOfAnswer] = [24, 6]

/** Central sentences in the order of the text, at most `most` by `count`; the start of one where none fits. */
export function shortened(all: readonly Sentence[], most: number, count: (text: string) => number): string {
  const sentences = telling(all)
  const places: number[] = []
  let left = most
  let first: string | undefined
  for (const place of byCentrality(sentences)) {
    const { text } = sentences[place] ?? { text: '' }
    first ??= text
    const cost = count(` ${text}`)
    // sentences can take more tokens joined than apart
    if (cost > left || count(textsAt(sentences, [...places, place]).join(' ')) > most) continue
    places.push(place)
    left -= cost
    if (left < fewest) break
  }
  return places.length > 0 ? textsAt(sentences, places).join(' ') : beginning(first ?? '', most, count)
}

/** Less room than this holds no sentence. */
const fewest = 4

const textsAt = (sentences: readonly Sentence[], places: readonly number[]): readonly string[] =>
  sentences.filter((_, place) => places.includes(place)).map(({ text }) => text)

/** The start of a text that fits, up to a space where it has one. */
function beginning(text: string, most: number, count: (text: string) => number): string {
  let [fits, over] = [0, text.length + 1]
  while (over - fits > 1) {
    const middle = (fits + over) >> 1
    if (count(text.slice(0, middle)) <= most) fits = middle
    else over = middle
  }
  if (fits >= text.length) return text
  const start = text.slice(0, fits)
  const end = start.lastIndexOf(' ')
  return (end > 0 ? start.slice(0, end) : start.replace(/[\uD800-\uDBFF]$/, '')).trim()
}

/** Each sentence once, without headings unless there is nothing else. */
function telling(sentences: readonly Sentence[]): readonly Sentence[] {
  const distinct = [...new Map(sentences.map((sentence) => [sentence.text, sentence])).values()]
  const told = distinct.filter((sentence) => !isHeading(sentence))
  return told.length > 0 ? told : distinct
}
