import { memoiseWeakly } from '../../basics/memoise.ts'
import { englishNumerals } from '../../text/matching/vocabulary.ts'
import { read, type Sentence } from './reading.ts'

/** A name, date or number of a sentence, with its UTF-16 offsets there. */
export interface Mention {
  readonly kind: 'name' | 'date' | 'number'
  readonly text: string
  readonly start: number
  readonly end: number
}

/** Capitalised names, dates and numbers, in order, without overlap. */
export const mentionsIn = memoiseWeakly(({ text }: Sentence): readonly Mention[] =>
  Array.from(text.matchAll(mention), ({ 0: all, index, groups = {} }) => {
    const kind = kindOf(groups)
    return { kind, text: all, start: index, end: index + all.length }
  }),
)

function kindOf(groups: Readonly<Record<string, string | undefined>>): Mention['kind'] {
  if (groups['date'] !== undefined) return 'date'
  return groups['number'] !== undefined ? 'number' : 'name'
}

const months = 'January|February|March|April|May|June|July|August|September|October|November|December'
const numberWords = [...englishNumerals.slice(1), 'million', 'billion'].join('|')
/** Words that are capitalised only at the beginning of a sentence. */
const functionWords =
  'The|An?|In|On|At|By|For|From|To|Of|With|Without|About|And|But|Or|So|As|If|When|Where|While|Who|Whom|Whose|What|Which|Why|How|After|Before|During|Since|Until|Because|Although|However|Then|There|Here|This|That|These|Those|It|Its|He|His|She|Her|They|Their|We|Our|You|Your|I|My|No|Not|Nobody|Some|Many|Most|All|Every|Each|Both|Only|Is|Are|Was|Were|Do|Does|Did|Has|Have|Had|Can|Could|Will|Would|Should|May'
const capitalisedWord = "\\p{Lu}(?:[\\p{L}\\p{M}\\p{N}]|[.'’&-](?=[\\p{L}\\p{N}])|(?<=\\b\\p{Lu})\\.)*"

const mention = new RegExp(
  [
    `(?<date>\\b(?:\\d{1,2} )?(?:${months})\\b(?: \\d{1,2}\\b,?)?(?: \\d{4}\\b)?|\\b(?:1\\d|20)\\d\\d(?:s|[-–]\\d{2,4})?\\b(?![.,]\\d))`,
    `(?<number>\\b(?:\\p{Nd}+(?:[.,]\\p{Nd}+)*|(?:${numberWords})(?:[- ](?:${numberWords}))*\\b)(?: ?%| (?!(?:and|or|of|to|in|per|by|from|at|on)\\b)\\p{Ll}{2,})?)`,
    `(?!(?:${functionWords})\\b)${capitalisedWord}(?: (?:of (?:the )?|de |van |von )?${capitalisedWord})*`,
  ].join('|'),
  'gu',
)

/** Long words, for scripts without capitals. */
const plainWords = ({ text }: Sentence) =>
  Array.from(segmenter.segment(text), ({ segment, isWordLike }) => (isWordLike ? segment : '')).filter(
    (word) => word.length >= (/\p{Ll}/u.test(word) ? 5 : 2),
  )

const segmenter = new Intl.Segmenter('und', { granularity: 'word' })

function collectMentions(sentences: readonly Sentence[], namesOf: (sentence: Sentence) => readonly string[]) {
  const entries = new Map<string, { readonly name: string; readonly where: Set<Sentence> }>()
  for (const sentence of sentences)
    for (const name of namesOf(sentence)) {
      const entry = entries.get(name.toLowerCase()) ?? { name, where: new Set() }
      entry.where.add(sentence)
      entries.set(name.toLowerCase(), entry)
    }
  return [...entries.values()]
}

/** Names, dates and numbers; long words if there are none. */
export function namesIn(text: string): readonly string[] {
  const sentences = read(text)
  const mentions = collectMentions(sentences, (sentence) => mentionsIn(sentence).map(({ text }) => text))
  const names = mentions.length > 0 ? mentions : collectMentions(sentences, plainWords)
  return names.map(({ name }) => name)
}

/** Names, and long words of several sentences (of any, without names), each with its first three sentences. */
export function describedEntities(sentences: readonly Sentence[]) {
  const names = collectMentions(sentences, capitalisedNames)
  const nameKeys = new Set(names.map(({ name }) => name.toLowerCase()))
  const plain = collectMentions(sentences, plainWords).filter(
    ({ name, where }) => !nameKeys.has(name.toLowerCase()) && (where.size > 1 || names.length === 0),
  )
  return [...names, ...plain].map(({ name, where }) => ({
    name,
    description: Array.from(where, ({ text }) => text)
      .slice(0, 3)
      .join(' '),
  }))
}

export const capitalisedNames = (sentence: Sentence): readonly string[] =>
  mentionsIn(sentence).flatMap(({ kind, text }) => (kind === 'name' ? [text] : []))

/** Entities with their sentences, and neighbours in a sentence as relations with that sentence. */
export function graphOf(text: string) {
  const sentences = read(text)
  const entities = describedEntities(sentences).map(({ name, description }) => ({ name, type: '', description }))
  const relationships = sentences.flatMap((sentence) => {
    const names = capitalisedNames(sentence)
    return names.slice(1).flatMap((target, place) => {
      const source = names[place] ?? target
      const isSame = source.toLowerCase() === target.toLowerCase()
      return isSame ? [] : [{ source, target, description: sentence.text, strength: 1 }]
    })
  })
  return { entities, relationships }
}
