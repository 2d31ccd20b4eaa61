import type {
  AnswerAndAskInput,
  ImagineAnswerInput,
  ListPointsInput,
  RateReportInput,
} from '../../../tasks/graphrag-search.ts'
import type { ExtractGraphInput, MergeDescriptionsInput, WriteReportInput } from '../../../tasks/graphrag-index.ts'
import { describedEntities } from './entities.ts'
import { isHeading } from './language/headings.ts'
import type { Language } from './language/language.ts'
import { mentions } from './language/phrases.ts'
import type { Sentence } from './language/sentence.ts'
import { sharesOf } from './language/shares.ts'
import { centralSentences } from './summary.ts'

/** Entities with the sentences that mention them, and neighbours in a sentence as related by that sentence; nothing is ever missed. */
export function graphOfText(language: Language, { text, replies }: ExtractGraphInput): string {
  if (replies.length > 0) return JSON.stringify({ entities: [], relationships: [] })
  const entities = (JSON.parse(describedEntities(language, { text })) as readonly Described[]).map((entity) => ({
    name: entity.entity_name,
    type: '',
    description: entity.entity_description,
  }))
  const known = new Set(entities.map(({ name }) => name.toLowerCase()))
  const relationships = language.read(text).flatMap((sentence) => {
    const named = mentions(sentence).filter((mention) => known.has(mention.text.toLowerCase()))
    return named.slice(1).map((target, place) => ({
      source: named[place]?.text ?? '',
      target: target.text,
      description: sentence.text,
      strength: 1,
    }))
  })
  const apart = relationships.filter(({ source, target }) => source.toLowerCase() !== target.toLowerCase())
  return JSON.stringify({ entities, relationships: apart })
}

interface Described {
  readonly entity_name: string
  readonly entity_description: string
}

/** The most central sentences of all descriptions. */
export const mergedDescription = (language: Language, { descriptions }: MergeDescriptionsInput): string =>
  centralSentences(language, descriptions, MERGED_SENTENCES).join(' ') || descriptions.join(' ')

/** A report of the central sentences; its title names what is mentioned first, its rating grows with what there is to say. */
export function reportOn(language: Language, { context }: WriteReportInput): string {
  const told = proseOf(context)
  const central = centralSentences(language, told, REPORTED_SENTENCES)
  const [first = context.trim().slice(0, 200) || '–', ...others] = central
  const names = mentions(language.line(central.join(' '))).map(({ text }) => text)
  return JSON.stringify({
    title: [...new Set(names)].slice(0, 2).join(' and ') || first.slice(0, 60),
    summary: [first, ...others.slice(0, 1)].join(' '),
    rating: Math.min(10, 1 + Math.floor(told.length / 5)),
    findings: central.map((sentence) => ({ summary: clauseOf(sentence), explanation: sentence })),
  })
}

/** The sentences of reports that share most with the question, each with the share of the question that it holds. */
export function pointsIn(language: Language, { question, reports }: ListPointsInput): string {
  const sentences = proseOf(reports).flatMap((text) => language.read(text))
  const held = sharesOf(language, question, sentences)
  const points = sentences
    .map(({ text }, place) => ({ description: text, score: Math.round(100 * (held[place] ?? 0)) }))
    .filter(({ score }, place) => score > 0 && !isHeading(sentences[place] ?? NO_SENTENCE))
  const distinct = [...new Map(points.map((point) => [point.description, point])).values()]
  const best = distinct.sort((a, b) => b.score - a.score).slice(0, MOST_POINTS)
  return JSON.stringify({ points: best.length > 0 ? best : [{ description: '', score: 0 }] })
}

/** The share of the question that the best sentence of a report holds, from 0 to 5. */
export function ratingOf(language: Language, { question, report }: RateReportInput): string {
  const held = sharesOf(language, question, language.read(report))
  return JSON.stringify({ rating: Math.round(5 * held.reduce((most, share) => Math.max(most, share), 0)) })
}

/** What is told in a table: of each row the longest field; of any other line the line without the marks of a heading. */
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

const clauseOf = (sentence: string): string => sentence.split(/[,;:]\s/)[0]?.replace(/[.!?]+$/, '') ?? sentence

const NO_SENTENCE: Sentence = { text: '', words: [], quantities: [] }
const MERGED_SENTENCES = 4
const REPORTED_SENTENCES = 6
const MOST_POINTS = 8

/** The sentences that share most with the question, and a question about what else they name. */
export function answeredAndAsked(language: Language, { question, context, most }: AnswerAndAskInput): string {
  const sentences = proseOf(context).flatMap((text) => language.read(text))
  const held = sharesOf(language, question, sentences)
  const best = [...sentences.keys()].sort((a, b) => (held[b] ?? 0) - (held[a] ?? 0)).slice(0, 2)
  const told = best.flatMap((place) => sentences[place] ?? [])
  const asked = question.toLowerCase()
  const names = told
    .flatMap(mentions)
    .filter(({ kind, text }) => kind === 'name' && !asked.includes(text.toLowerCase()))
  return JSON.stringify({
    answer: told.map(({ text }) => text).join(' '),
    score: Math.round(100 * (held[best[0] ?? 0] ?? 0)),
    follow_up_questions: [...new Set(names.map(({ text }) => `What is known of ${text}?`))].slice(0, Math.min(most, 2)),
  })
}

/** No answer is invented: the question stands for it. */
export const imagined = ({ question }: ImagineAnswerInput): string => question.trim() || '–'
