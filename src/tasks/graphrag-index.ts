import { decodeHTMLStrict } from 'entities/decode'
import { graphTask, jsonOnly, jsonTask, numberShape, sampledTask, samples, textShape, textTask } from './task.ts'
import { z } from 'zod'
import { graphOf } from './stand-ins/names.ts'
import { read } from './stand-ins/reading.ts'
import { centralSentences, reportOn } from './stand-ins/summaries.ts'

/** An entity in one text; of GraphRAG the name is upper case. */
export interface EntityRecord {
  readonly name: string
  readonly type: string
  readonly description: string
}

/** A relation in one text; `strength` may be NaN or infinite if the model wrote that. */
interface RelationRecord {
  readonly source: string
  readonly target: string
  readonly description: string
  readonly strength: number
}

/** The graph of a text in one reply. */
export interface GraphRecords {
  readonly entities: readonly EntityRecord[]
  readonly relationships: readonly RelationRecord[]
}

const endMarker = '<|COMPLETE|>'

/**
 * Reads GraphRAG's delimiter form. Other text is ignored; records with too few fields are counted as `skipped`. The end
 * marker separates records, unless `keepsEndMarker`: then it stays in the last record, as in the reference.
 */
export function readDelimiterForm(
  text: string,
  { keepsEndMarker = false } = {},
): GraphRecords & { readonly skipped: number } {
  const entities: EntityRecord[] = []
  const relationships: RelationRecord[] = []
  let skipped = 0
  for (const part of (keepsEndMarker ? text : text.replaceAll(endMarker, '##')).split('##')) {
    const record = part.trim()
    const fields = record.replace(/^\(|\)$/g, '').split('<|>')
    const [kind = '', first = '', second = '', third = ''] = fields
    if (kind === '"entity"' && fields.length >= 4)
      entities.push(entityRecord({ name: first, type: second, description: third }))
    else if (kind === '"relationship"' && fields.length >= 5) {
      const strength = strengthOf(String(fields.at(-1)))
      relationships.push(relationRecord({ source: first, target: second, description: third, strength }))
    } else if (/^\(?"/.test(record)) skipped++
  }
  return { entities, relationships, skipped }
}

const entityRecord = ({ name, type, description }: EntityRecord): EntityRecord => ({
  name: cleanName(name),
  type: cleanName(type),
  description: clean(description),
})

const relationRecord = ({ source, target, description, strength }: RelationRecord): RelationRecord => ({
  source: cleanName(source),
  target: cleanName(target),
  description: clean(description),
  strength,
})

/** A number as Python's float() reads it; 1 if it is none, as in the reference. */
function strengthOf(literal: string) {
  const text = literal.trim().toLowerCase()
  const special = /^([+-]?)(?:(nan)|inf(?:inity)?)$/.exec(text)
  if (special) {
    const [, sign, nan] = special
    if (nan !== undefined) return NaN
    return sign === '-' ? -Infinity : Infinity
  }
  const number = /^[+-]?(?:\d(?:_?\d)*\.?(?:\d(?:_?\d)*)?|\.\d(?:_?\d)*)(?:e[+-]?\d(?:_?\d)*)?$/.test(text)
  return number ? Number(text.replaceAll('_', '')) : 1
}

/** A merge key. Upper case first: like the reference, it decodes upper-case character references only. */
export const cleanName = (name: string): string => clean(name.toUpperCase())

// the reference removes control characters without a space
const clean = (text: string) => decodeHTMLStrict(text.trim()).replace(/[\u0000-\u001f\u007f-\u009f]/g, '')

/** A text, and previous replies of the same chat, which make the prompt ask for more. */
export interface ExtractGraphInput {
  readonly text: string
  readonly entityTypes: readonly string[]
  readonly replies: readonly GraphReply[]
}

/** A parsed reply; `delimited` if it was in the reference's delimiter form. */
export interface GraphReply extends GraphRecords {
  readonly delimited?: string
}

const nonEmptyName = z.string().trim().min(1)

/** The entities and relations of a text (GraphRAG, section 2.2), as JSON or in delimiter form. */
export const extractGraph = graphTask<ExtractGraphInput, GraphReply>({
  name: 'extract-graph',
  version: 2,
  sample: {
    text: samples.text,
    entityTypes: ['organization', 'person', 'geo', 'event'],
    replies: [],
  },
  output: z
    .object({
      entities: z.array(z.object({ name: nonEmptyName, type: textShape, description: textShape })),
      relationships: z.array(
        z.object({
          source: nonEmptyName,
          target: nonEmptyName,
          description: textShape,
          strength: z.union([z.number(), z.string()]).nullish(),
        }),
      ),
    })
    .transform(({ entities, relationships }) => ({
      entities: entities.map(entityRecord),
      relationships: relationships.map((relationship) =>
        relationRecord({ ...relationship, strength: strengthOf(String(relationship.strength ?? '')) }),
      ),
    })),
  readsAlso(reply) {
    const { skipped, ...records } = readDelimiterForm(reply)
    const isEmpty = records.entities.length + records.relationships.length === 0
    // JSON may contain the end marker; alone it means an empty graph
    return isEmpty && reply !== endMarker ? undefined : { value: { ...records, delimited: reply }, skipped }
  },
  offline: ({ text }) => graphOf(text),
  opening: ({ text, entityTypes }) => [
    `You write down the graph of a text. First its entities of the types ${entityTypes.join(', ')}: the name, the type, and a full description of what the text says of it. Then every pair of these entities that the text clearly relates: the names of both, why they are related, and how strongly, as a number from 1 to 10.
${jsonOnly}:
{"entities": [{"name": "Arden Mill", "type": "organization", "description": "A water mill that ground corn."}, {"name": "John Bell", "type": "person", "description": "The builder of Arden Mill."}], "relationships": [{"source": "John Bell", "target": "Arden Mill", "description": "John Bell built Arden Mill.", "strength": 8}]}

Text:
${text}`,
    'Write down the entities and relationships of this text.',
  ],
  textOfReply: (reply) => reply.delimited ?? JSON.stringify(reply),
  more: 'Many entities and relationships were missed. Write down those that are missing, in the same form.',
})

/** Whether the replies still miss something; only an exact Y means yes (GraphRAG, section 2.2). */
export const askForMore = sampledTask<ExtractGraphInput, boolean>({
  name: 'ask-for-more',
  version: 1,
  sample: {
    text: samples.fact,
    entityTypes: ['person', 'geo'],
    replies: [
      {
        entities: [{ name: 'ROBERT STEVENSON', type: 'PERSON', description: 'He planned the lighthouse.' }],
        relationships: [],
      },
    ],
  },
  reply: 'text',
  output: z.string().transform((reply) => reply === 'Y'),
  offline: () => 'N',
  prompt: (input) => {
    const { messages } = extractGraph.prompt(input)
    const request =
      'Are there still entities or relationships missing? Reply with the single letter Y for yes or N for no.'
    return { messages: [...messages.slice(0, -1), { role: 'user', content: request }], maxTokens: 8 }
  },
})

/** Merges several descriptions of an entity or a relation (GraphRAG, section 2.5). */
export const mergeDescriptions = textTask({
  name: 'merge-descriptions',
  sample: {
    names: ['CAPE WRATH LIGHTHOUSE'],
    descriptions: ['A lighthouse that was built in 1828.', 'A white tower planned by Robert Stevenson.'],
    words: 500,
  },
  replyTokens: () => 80,
  offline({ descriptions }) {
    const sentences = centralSentences(descriptions.flatMap(read), 4)
    return sentences.join(' ') || descriptions.join(' ')
  },
  system: [
    ({ names }) =>
      `You write one full description of ${names.length > 1 ? 'how two things are related' : 'one thing'} out of several descriptions. Use all that they say, settle what contradicts, name the things, and write in the third person. Reply with the description alone.`,
    ({ names, descriptions }) =>
      `Of: ${names.join(' and ')}\nDescriptions:\n${descriptions.map((description) => `- ${description}`).join('\n')}`.trim(),
  ],
  user: 'Write one description of at most {{words}} words.',
})

const finding = z.union([
  z.object({ summary: z.string(), explanation: textShape }),
  z.string().transform((summary) => ({ summary, explanation: '' })),
])

/** A report on a community of entities (GraphRAG, section 2.8): title, summary, rating from 0 to 10, and findings. */
export const writeReport = jsonTask({
  name: 'write-report',
  version: 2,
  sample: { context: samples.text, words: 2000 },
  replyTokens: () => 700,
  output: z
    .object({
      title: z.string().trim().min(1),
      summary: z.string().trim().min(1),
      rating: numberShape,
      rating_explanation: textShape.optional(),
      findings: z.array(finding),
    })
    .transform(({ title, summary, rating, findings }) => ({
      title,
      summary,
      rating: Math.min(10, Math.max(0, rating)),
      findings,
    })),
  offline: ({ context }) => reportOn(context),
  system: [
    `You write a report on a group of related entities. Say who and what they are, how they are related, and what matters about them; claim nothing that the data does not say.
It has a short title with the main names, a summary of the whole, a rating from 0 to 10 of how important the group is with one sentence that explains it, and five to ten findings, each a short summary and an explanation of some sentences.
${jsonOnly}:
{"title": "Arden Mill and John Bell", "summary": "The group is about a water mill and its builder.", "rating": 4, "rating_explanation": "The mill fed one town.", "findings": [{"summary": "John Bell built the mill", "explanation": "John Bell built Arden Mill in 1790."}]}`,
    ({ context }) => `Data:\n${context.trim()}`.trim(),
  ],
  user: 'Write the report in at most {{words}} words.',
  maxTokens: 4096,
})
