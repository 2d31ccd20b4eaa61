import type { AnswerSummaryInput } from '../../../tasks/answers.ts'
import type { ShortenDescriptionInput } from '../../../tasks/described-entities.ts'
import type { SummariseInput } from '../../../tasks/summarise.ts'
import { isHeading } from './language/headings.ts'
import type { Language } from './language/language.ts'
import { diverse } from './language/salience.ts'
import { sharesOf } from './language/shares.ts'

/** Central sentences, unlike each other, in text order; `count` tells the tokens of a text, and the summary never has more than asked for. */
export function summary(
  language: Language,
  { texts, tokens }: SummariseInput,
  count: (text: string) => number,
): string {
  return shorten(language, texts, tokens, count)
}

/** The same in about 400 characters: a brief description instead of more than 4000 (UnWeaver, section 2, step 8). */
export function briefDescription(language: Language, { description }: ShortenDescriptionInput): string {
  return JSON.stringify([shorten(language, [description], BRIEF_CHARACTERS, (text) => text.length)])
}

/** The most central of the sentences that share most with the request; says so where there is nothing to summarise. */
export function summaryFor(language: Language, { question, context }: AnswerSummaryInput): string {
  const sentences = language.read(context)
  const held = sharesOf(language, question, sentences)
  const best = [...sentences.keys()].sort((a, b) => (held[b] ?? 0) - (held[a] ?? 0) || a - b).slice(0, SENTENCES_READ)
  const near = best.sort((a, b) => a - b).flatMap((place) => sentences[place]?.text ?? [])
  return centralSentences(language, near, SENTENCES_SAID).join(' ') || 'The answer is not known.'
}

/** So many of the most central sentences, unlike each other, in text order. */
export function centralSentences(language: Language, texts: readonly string[], most: number): readonly string[] {
  const all = texts.flatMap((text) => language.read(text))
  const telling = all.filter((sentence) => !isHeading(sentence))
  const distinct = [
    ...new Map((telling.length > 0 ? telling : all).map((sentence) => [sentence.text, sentence])).values(),
  ]
  const picked = new Set<number>()
  diverse(distinct, (index) => (picked.size < most ? Boolean(picked.add(index)) : undefined))
  return distinct.filter((_, index) => picked.has(index)).map(({ text }) => text)
}

function shorten(language: Language, texts: readonly string[], most: number, count: (text: string) => number): string {
  const all = texts.flatMap((text) => language.read(text))
  const telling = all.filter((sentence) => !isHeading(sentence))
  const sentences = telling.length > 0 ? telling : all
  const costs = sentences.map(({ text }) => count(` ${text}`))
  const shortest = costs.reduce((least, cost) => Math.min(least, cost), Infinity)
  const picked = new Set<number>()
  const rendered = () =>
    sentences
      .filter((_, index) => picked.has(index))
      .map(({ text }) => text)
      .join(' ')
  let left = most
  let central: number | undefined
  diverse(sentences, (index) => {
    central ??= index
    if (left < shortest) return undefined
    const cost = costs[index] ?? 0
    if (cost > left) return false
    picked.add(index)
    // sentences can take more tokens joined than apart
    const fits = count(rendered()) <= most
    if (fits) left -= cost
    else picked.delete(index)
    return fits
  })
  if (picked.size > 0) return rendered()
  return cut(central === undefined ? texts.join(' ').trim() : (sentences[central]?.text ?? ''), most, count)
}

/** The start of a text that fits: up to the last clause boundary in it, else to the last space, else to the last character. */
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

const BRIEF_CHARACTERS = 400
const SENTENCES_READ = 24
const SENTENCES_SAID = 6
