import type { ExtractEntitiesInput } from '../../../tasks/described-entities.ts'
import type { NameEntitiesInput } from '../../../tasks/open-ie.ts'
import type { Language } from './language/language.ts'
import { type Mention, mentions } from './language/phrases.ts'
import type { Sentence } from './language/sentence.ts'

/** Names and repeated or telling noun phrases; each is described by the first sentences that mention it, three at most. */
export function describedEntities(language: Language, { text }: ExtractEntitiesInput): string {
  const sentences = language.read(text)
  const entities = mentioned(sentences)
    .filter(
      ({ kind, name, places }) => kind === 'name' || (kind === 'noun' && (places.length > 1 || name.includes(' '))),
    )
    .map(({ name, places }) => ({
      entity_name: name,
      entity_description: places
        .slice(0, MOST_SENTENCES)
        .map((place) => sentences[place]?.text ?? '')
        .join(' '),
    }))
  return JSON.stringify(entities)
}

/** Names, dates and numbers as the passage writes them, and noun phrases that it repeats; all noun phrases where there is nothing else. */
export const namedEntities = (language: Language, { passage }: NameEntitiesInput): string =>
  JSON.stringify({ named_entities: namesIn(language, passage) })

/** The same as a list. */
export function namesIn(language: Language, passage: string): readonly string[] {
  const all = mentioned(language.read(passage))
  const named = all.filter(({ kind, name, places }) =>
    kind === 'noun' ? places.length > 1 : kind === 'name' || /\d/.test(name),
  )
  return (named.length > 0 ? named : all).map(({ name }) => name)
}

interface Mentioned {
  readonly name: string
  readonly kind: Mention['kind']
  /** Indices of the sentences that mention it, each once. */
  readonly places: readonly number[]
}

/** What is mentioned, in the order of first mention; upper and lower case are one. */
function mentioned(sentences: readonly Sentence[]): readonly Mentioned[] {
  const found = new Map<string, Mentioned & { readonly places: number[] }>()
  for (const [place, sentence] of sentences.entries())
    for (const { kind, text } of mentions(sentence)) {
      const one = found.get(text.toLowerCase()) ?? { name: text, kind, places: [] }
      if (one.places.at(-1) !== place) one.places.push(place)
      found.set(text.toLowerCase(), one)
    }
  return [...found.values()]
}

/** UnWeaver: "in at most three sentences". */
const MOST_SENTENCES = 3
