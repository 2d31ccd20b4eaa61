import { decodeHTML } from 'entities/decode'
import { z } from 'zod'
import type { EntityRecord } from './graphrag-index.ts'
import { graphOf, namesIn } from './stand-ins/names.ts'
import { contentWords } from './searching.ts'
import { graphTask, jsonOnly, jsonTask, samples, textShape } from './task.ts'

/** A relation in one text; `keywords`: high-level words, separated by commas. */
interface RelationMention {
  readonly source: string
  readonly target: string
  readonly keywords: string
  readonly description: string
}

/** The graph of a text in one reply. */
export interface TextGraph {
  readonly entities: readonly EntityRecord[]
  readonly relationships: readonly RelationMention[]
}

const suggestedTypes = 'Person, Creature, Organization, Location, Event, Concept, Method, Content, Data, Artifact'

const keywordsShape = z.preprocess((value) => (Array.isArray(value) ? value.join(', ') : (value ?? '')), z.string())

/** A text, and previous replies of the same chat, which make the prompt ask for what is missing. */
interface TextGraphInput {
  readonly text: string
  readonly replies: readonly TextGraph[]
}

/** Entities of a text and relations with keywords between them, as JSON or delimited (LightRAG, section 3.1). */
export const extractTextGraph = graphTask<TextGraphInput, TextGraph>({
  name: 'extract-text-graph',
  version: 1,
  sample: { text: samples.text, replies: [] },
  output: z
    .object({
      entities: z.array(z.object({ name: textShape, type: textShape, description: textShape })),
      relationships: z.array(
        z.object({ source: textShape, target: textShape, keywords: keywordsShape, description: textShape }),
      ),
    })
    .transform(cleanGraph),
  readsAlso(reply) {
    const { skipped, ...graph } = readDelimiterForm(reply)
    const isEmpty = graph.entities.length + graph.relationships.length === 0
    return isEmpty ? undefined : { value: graph, skipped }
  },
  offline({ text }) {
    const { entities, relationships } = graphOf(text)
    return {
      entities: entities.map((entity) => ({ ...entity, type: 'Other' })),
      relationships: relationships.map(({ source, target, description }) => ({
        source,
        target,
        keywords: contentWords(description).split(' ').slice(0, 3).join(', '),
        description,
      })),
    }
  },
  opening: ({ text }) => [
    `You write down the knowledge graph of a text. First its entities: the name (in title case where case does not matter), the type (${suggestedTypes}; otherwise Other), and a description from this text alone. Then the pairs of these entities that the text directly relates, each pair once, whatever the direction: both names, one or more high-level keywords between commas, and a description of how they are related.
Write in the third person and name things instead of using pronouns. The most significant come first: at most 40 entities, and at most 100 entities and pairs together.
${jsonOnly}:
{"entities": [{"name": "Arden Mill", "type": "Artifact", "description": "Arden Mill is a water mill that ground corn."}, {"name": "John Bell", "type": "Person", "description": "John Bell is the builder of Arden Mill."}], "relationships": [{"source": "John Bell", "target": "Arden Mill", "keywords": "construction, industry", "description": "John Bell built Arden Mill."}]}`,
    `Text:\n${text}`,
  ],
  more: 'Write down the entities and pairs that are missing above or not described well, in the same form. Do not repeat those that are right.',
})

/**
 * Reads LightRAG's delimiter form; records in one line are split at the word that begins them. An "entity" with five
 * fields is a relation. `skipped`: records with too few fields.
 */
function readDelimiterForm(reply: string): TextGraph & { readonly skipped: number } {
  const entities: EntityRecord[] = []
  const relationships: RelationMention[] = []
  let skipped = 0
  const lines = reply
    .replaceAll(/<\|complete\|>/gi, '\n')
    .replaceAll(/<\|#\|>\s*(?=(?:entity|relation|relationship)<\|#\|>)/gi, '\n')
    .split('\n')
  for (const line of lines) {
    const [kind = '', ...fields] = line.split('<|#|>').map((field) => field.trim())
    const [first = '', second = '', third = '', fourth = ''] = fields
    const isEntity = /entity/i.test(kind)
    const isRelation = /relation/i.test(kind)
    if (isEntity && fields.length === 3) entities.push({ name: first, type: second, description: third })
    else if ((isEntity || isRelation) && fields.length === 4)
      relationships.push({ source: first, target: second, keywords: third, description: fourth })
    else if (isEntity || isRelation) skipped++
  }
  return { ...cleanGraph({ entities, relationships }), skipped }
}

/** Maximum characters of a name (release 1.5.7). */
const maxNameLength = 256

const cleanName = (text: string) => Array.from(cleanText(text, true)).slice(0, maxNameLength).join('')

function cleanGraph({ entities, relationships }: TextGraph): TextGraph {
  return {
    entities: entities.flatMap((entity) => {
      const name = cleanName(entity.name)
      const description = cleanText(entity.description)
      const type = cleanType(entity.type)
      return name === '' || description === '' || type === undefined ? [] : [{ name, type, description }]
    }),
    relationships: relationships.flatMap((relation) => {
      const source = cleanName(relation.source)
      const target = cleanName(relation.target)
      const description = cleanText(relation.description)
      if (source === '' || target === '' || source === target || description === '') return []
      return [{ source, target, keywords: cleanText(relation.keywords, true).replaceAll('，', ','), description }]
    }),
  }
}

/** A type up to its first comma, in lower case without spaces; undefined if the reference drops the entity. */
function cleanType(field: string): string | undefined {
  const type = cleanText(field, true)
  if (/['()<>|/\\]/.test(type)) return undefined
  const first = type.split(',').find((part) => part.trim() !== '')
  return first?.trim().replaceAll(' ', '').toLowerCase()
}

/**
 * Cleans a text as release 1.5.7 does (`normalize_extracted_info`). Numbers of up to two digits, or of digits and dots
 * below six characters, become empty.
 */
export function cleanText(text: string, isName = false): string {
  let clean = decodeHTML(text.trim())
    .replace(/[\ud800-\udfff\ufffe\uffff\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/gu, '')
    .trim()
    .replace(/<\/?(?:p|br)\s*>|<(?:p|br)\/>/gi, '')
    .replace(/[Ａ-Ｚａ-ｚ０-９－＋／＊（）]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replaceAll('—', '-')
    .replaceAll('\u3000', ' ')
    .replace(/(?<=[\u4e00-\u9fa5])\s+(?=[\u4e00-\u9fa5a-zA-Z0-9()[\]@#$%!&*\-=+_])/g, '')
    .replace(/(?<=[a-zA-Z0-9()[\]@#$%!&*\-=+_])\s+(?=[\u4e00-\u9fa5])/g, '')
  for (const quotes of quotePairs) clean = withoutQuotes(clean, quotes)
  if (isName)
    clean = clean
      .replace(/[“”‘’]/g, '')
      .replace(/['"]+(?=[\u4e00-\u9fa5])|(?<=[\u4e00-\u9fa5])['"]+/g, '')
      .replaceAll('\u00a0', ' ')
      .replace(/(?<=\D)\u202f/g, ' ')
  clean = clean.trim()
  return /^\d{1,2}$|^(?=.*\.)[\d.]{1,5}$/.test(clean) ? '' : clean
}

const quotePairs = [
  ['"', '"'],
  ["'", "'"],
  ['“', '”'],
  ['‘', '’'],
  ['《', '》'],
] as const

/** Removes a surrounding pair of quotes, unless there are such quotes inside. */
function withoutQuotes(text: string, [open, close]: (typeof quotePairs)[number]) {
  const inner = text.slice(1, -1)
  const isQuoted = text.length >= 2 && text.startsWith(open) && text.endsWith(close)
  return isQuoted && !inner.includes(open) && !inner.includes(close) ? inner : text
}

const keywordList = z.unknown().transform((value): readonly string[] => {
  const items: readonly unknown[] =
    typeof value === 'string' ? value.split(/[\n,;]+/) : Array.isArray(value) ? value : []
  return items.flatMap((item) => (typeof item === 'string' && item.trim() !== '' ? [item.trim()] : []))
})

/** The keywords of a question on two levels (LightRAG, section 3.2). */
export const questionKeywords = jsonTask({
  name: 'question-keywords',
  sample: { question: 'Who planned the lighthouse on Cape Wrath, and when was it built?' },
  replyTokens: () => 40,
  output: z
    .object({ high_level_keywords: keywordList, low_level_keywords: keywordList })
    .transform((keywords) => ({ high: keywords.high_level_keywords, low: keywords.low_level_keywords })),
  offline: ({ question }) => ({
    high_level_keywords: contentWords(question).split(' ').filter(Boolean),
    low_level_keywords: namesIn(question),
  }),
  system: `You find the search keywords of a question, in its language. High-level keywords name its themes and what kind of answer is wanted; low-level keywords name entities, terms and details. Take them from the question alone; a phrase of several words stays together. Give empty lists where the question is too vague.
${jsonOnly}:
{"high_level_keywords": ["construction", "history"], "low_level_keywords": ["Arden Mill", "1790"]}`,
  user: '{{question}}',
})

/** Keywords of a question for both levels of search: high for themes and intent, low for entities and details. */
export type QuestionKeywords = Readonly<z.output<typeof questionKeywords.output>>
