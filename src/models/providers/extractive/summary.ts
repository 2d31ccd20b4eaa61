import { memoiseWeakly } from '../../../basics/memoise.ts'
import type { Sentence } from './language.ts'
import { closest, rarity } from './overlap.ts'
import { isHeading } from './phrases.ts'

/** The sentences' places, central ones first, by tf-idf and centroid (Radev et al. 2004). */
export const byCentrality = (sentences: readonly Sentence[]): readonly number[] =>
  measured(sentences)
    .sort((a, b) => b.worth - a.worth || a.place - b.place)
    .map(({ place }) => place)

/** So many of the most central sentences, unlike each other, in text order. */
export function centralSentences(sentences: readonly Sentence[], most: number): readonly string[] {
  const distinct = [...new Map(telling(sentences).map((sentence) => [sentence.text, sentence])).values()]
  const picked = diverse(distinct, (_, before) => (before.size < most ? 'take' : 'end'))
  return distinct.filter((_, place) => picked.has(place)).map(({ text }) => text)
}

/** The most central of the sentences that share most with a request. */
export function summaryFor(request: Sentence, sentences: readonly Sentence[]): string {
  const near = closest(request, sentences).slice(0, SENTENCES_READ)
  const inOrder = near.sort((a, b) => a.place - b.place).map(({ sentence }) => sentence)
  return centralSentences(inOrder, SENTENCES_SAID).join(' ')
}

/** Central sentences, unlike each other, in text order, at most `most` by `count`; a cut one where none fits. */
export function shortened(all: readonly Sentence[], most: number, count: (text: string) => number): string {
  const sentences = telling(all)
  const costOf = memoiseWeakly(({ text }: Sentence) => count(` ${text}`))
  const shortest = Math.min(...sentences.map(costOf))
  const textOf = (places: ReadonlySet<number>): string =>
    sentences
      .filter((_, place) => places.has(place))
      .map(({ text }) => text)
      .join(' ')
  let left = most
  let central: string | undefined
  const picked = diverse(sentences, ({ sentence, place }, before) => {
    central ??= sentence.text
    if (left < shortest) return 'end'
    const cost = costOf(sentence)
    // sentences can take more tokens joined than apart
    if (cost > left || count(textOf(new Set([...before, place]))) > most) return 'leave'
    left -= cost
    return 'take'
  })
  return picked.size > 0 ? textOf(picked) : cut(central ?? '', most, count)
}

/** The start of a text that fits: up to the last clause boundary in it, else the last space, else as it is. */
function cut(text: string, most: number, count: (text: string) => number): string {
  let [fits, over] = [0, text.length + 1]
  while (over - fits > 1) {
    const middle = (fits + over) >> 1
    if (count(text.slice(0, middle)) <= most) fits = middle
    else over = middle
  }
  const start = text.slice(0, fits)
  if (fits >= text.length) return start
  const clause = start.search(/[,;:–—)](?=\s[^,;:–—)]*$)/)
  const end = clause > fits / 3 ? clause : start.lastIndexOf(' ')
  return (end > 0 ? start.slice(0, end) : start.replace(/[\uD800-\uDBFF]$/, '')).trim()
}

/** Without headings, unless there is nothing else. */
function telling(sentences: readonly Sentence[]): readonly Sentence[] {
  const told = sentences.filter((sentence) => !isHeading(sentence))
  return told.length > 0 ? told : sentences
}

/** Places taken by maximal marginal relevance (Carbonell and Goldstein 1998); what is left pushes nothing away. */
function diverse(
  sentences: readonly Sentence[],
  decide: (next: Measured, before: ReadonlySet<number>) => 'take' | 'leave' | 'end',
): ReadonlySet<number> {
  const left = measured(sentences).map((one) => ({ ...one, likeness: 0 }))
  const taken = new Set<number>()
  const scoreOf = ({ worth, likeness }: (typeof left)[number]): number => RELEVANCE * worth - (1 - RELEVANCE) * likeness
  const sort = () => left.sort((a, b) => scoreOf(b) - scoreOf(a) || a.place - b.place)
  sort()
  for (let next = left.shift(); next; next = left.shift()) {
    const decision = decide(next, taken)
    if (decision === 'end') break
    if (decision === 'leave') continue
    taken.add(next.place)
    for (const one of left) one.likeness = Math.max(one.likeness, cosine(one.vector, next.vector))
    sort()
  }
  return taken
}

/** A sentence as weights of its content stems, unit length. */
type Vector = ReadonlyMap<string, number>

type Measured = ReturnType<typeof measured>[number]

/** Headings and the pieces that a chunk begins with are worth half. */
function measured(sentences: readonly Sentence[]) {
  const weight = rarity(sentences)
  const told = sentences.map((sentence, place) => {
    const content = sentence.words.filter((word) => word.content)
    return { sentence, place, vector: unit(content.map(({ stem }) => [stem, weight(stem)])) }
  })
  const centroid = unit(told.flatMap(({ vector }) => [...vector]))
  return told.map((one) => {
    const isBroken = isHeading(one.sentence) || /^[\p{Ll},.;:)]/u.test(one.sentence.text)
    return { ...one, worth: cosine(one.vector, centroid) * (isBroken ? 0.5 : 1) }
  })
}

function unit(weights: readonly (readonly [stem: string, weight: number])[]): Vector {
  const sums = new Map<string, number>()
  for (const [stem, weight] of weights) sums.set(stem, (sums.get(stem) ?? 0) + weight)
  const length = Math.sqrt([...sums.values()].reduce((sum, weight) => sum + weight * weight, 0))
  return length > 0 ? new Map([...sums].map(([stem, weight]) => [stem, weight / length])) : sums
}

function cosine(a: Vector, b: Vector): number {
  const [small, large] = a.size < b.size ? [a, b] : [b, a]
  let sum = 0
  for (const [stem, weight] of small) sum += weight * (large.get(stem) ?? 0)
  return sum
}

/** Weight of relevance against novelty: a repeated sentence is worth nothing. */
const RELEVANCE = 0.5
const SENTENCES_READ = 24
const SENTENCES_SAID = 6
