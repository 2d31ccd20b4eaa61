import { decodeHTMLStrict } from 'entities/decode'
import { halvesBy, jsonTask, numberShape, sampledTask, textShape, textTask } from './task.ts'
import { z } from 'zod'
import type { Message } from '../types.ts'
import { graphOf } from './stand-ins/names.ts'
import { read } from './stand-ins/reading.ts'
import { reportOn } from './stand-ins/reports.ts'
import { centralSentences } from './stand-ins/summaries.ts'

/** An entity as a text describes it; the name in upper case. */
export interface EntityRecord {
  readonly name: string
  readonly type: string
  readonly description: string
}

/** A relation as a text describes it; `strength` may be NaN or infinite where a model wrote so. */
export interface RelationRecord {
  readonly source: string
  readonly target: string
  readonly description: string
  readonly strength: number
}

/** What a reply says of a text's graph. */
export interface GraphRecords {
  readonly entities: readonly EntityRecord[]
  readonly relationships: readonly RelationRecord[]
}

/** What marks the end of a reply in the reference's delimiter form. */
const endMarker = '<|COMPLETE|>'

/**
 * Reads GraphRAG's delimiter form: records between ##, one parenthesis stripped at either end, fields between <|>. What
 * is no record is passed over; what begins as one and lacks fields is counted as `skipped`. The end marker separates
 * records, unless `glued`: then it stays in the last record, as in the reference.
 */
export function readDelimited(text: string, { glued = false } = {}): GraphRecords & { readonly skipped: number } {
  const entities: EntityRecord[] = []
  const relationships: RelationRecord[] = []
  let skipped = 0
  for (const part of (glued ? text : text.replaceAll(endMarker, '##')).split('##')) {
    const record = part.trim()
    const fields = record.replace(/^\(|\)$/g, '').split('<|>')
    const [kind = '', first = '', second = '', third = ''] = fields
    if (kind === '"entity"' && fields.length >= 4)
      entities.push(entityRecord({ name: first, type: second, description: third }))
    else if (kind === '"relationship"' && fields.length >= 5)
      relationships.push(
        relationRecord({
          source: first,
          target: second,
          description: third,
          strength: strengthOf(String(fields.at(-1))),
        }),
      )
    else if (/^\(?"/.test(record)) skipped++
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

/** A number as Python's float() reads it, and 1 where it is none (section 2.3). */
function strengthOf(written: string): number {
  const text = written.trim().toLowerCase()
  const special = /^([+-]?)(?:(nan)|inf(?:inity)?)$/.exec(text)
  if (special) return special[2] === undefined ? (special[1] === '-' ? -Infinity : Infinity) : NaN
  const number = /^[+-]?(?:\d(?:_?\d)*\.?(?:\d(?:_?\d)*)?|\.\d(?:_?\d)*)(?:e[+-]?\d(?:_?\d)*)?$/.test(text)
  return number ? Number(text.replaceAll('_', '')) : 1
}

/** A name as it is merged by: upper case first, so that only references in upper case are known after it. */
export const cleanName = (name: string): string => clean(name.toUpperCase())

// the reference takes control characters out without a space
const clean = (text: string): string => decodeHTMLStrict(text.trim()).replace(/[\u0000-\u001f\u007f-\u009f]/g, '')

/** A text, and what was already replied in the same chat: then more is asked for. */
export interface ExtractGraphInput {
  readonly text: string
  readonly entityTypes: readonly string[]
  readonly replies: readonly GraphReply[]
}

/** What a reply says; `delimited` is the reply itself where it came in the reference's delimiter form. */
export interface GraphReply extends GraphRecords {
  readonly delimited?: string
}

const named = z.string().trim().min(1)

const shownGraph =
  '{"entities": [{"name": "Arden Mill", "type": "organization", "description": "A water mill that ground corn."}, {"name": "John Bell", "type": "person", "description": "The builder of Arden Mill."}], "relationships": [{"source": "John Bell", "target": "Arden Mill", "description": "John Bell built Arden Mill.", "strength": 8}]}'

/** The entities of a text and how they are related (GraphRAG, section 2.2), as JSON or in delimiter form. */
export const extractGraph = sampledTask<ExtractGraphInput, GraphReply>({
  name: 'extract-graph',
  version: 2,
  sample: {
    text: 'Robert Stevenson planned the lighthouse on Cape Wrath. It was built in 1828.',
    entityTypes: ['organization', 'person', 'geo', 'event'],
    replies: [],
  },
  reply: 'json',
  replyTokens: ({ text, replies }) => text.length / (replies.length > 0 ? 12 : 4),
  example: shownGraph,
  output: z
    .object({
      entities: z.array(z.object({ name: named, type: textShape, description: textShape })),
      relationships: z.array(
        z.object({
          source: named,
          target: named,
          description: textShape,
          strength: z.union([z.number(), z.string()]).nullish(),
        }),
      ),
    })
    .transform(({ entities, relationships }) => ({
      entities: entities.map(entityRecord),
      relationships: relationships.map((one) =>
        relationRecord({ ...one, strength: strengthOf(String(one.strength ?? '')) }),
      ),
    })),
  // what was found before is of the whole text
  halves: (input) => (input.replies.length === 0 ? halvesBy('text')(input) : undefined),
  joined: (first, second) => ({
    entities: [...first.entities, ...second.entities],
    relationships: [...first.relationships, ...second.relationships],
  }),
  readsAlso(reply) {
    const { skipped, ...records } = readDelimited(reply)
    const isEmpty = records.entities.length + records.relationships.length === 0
    // JSON may hold the end marker too: by itself it says that there is nothing
    return isEmpty && reply !== endMarker ? undefined : { value: { ...records, delimited: reply }, skipped }
  },
  offline: ({ text, replies }) => (replies.length > 0 ? { entities: [], relationships: [] } : graphOf(text)),
  prompt: ({ text, entityTypes, replies }) => {
    const system = `You write down the graph of a text. First its entities of the types ${entityTypes.join(', ')}: the name, the type, and a full description of what the text says of it. Then every pair of these entities that the text clearly relates: the names of both, why they are related, and how strongly, as a number from 1 to 10.
Reply with JSON of this shape and nothing else:
${shownGraph}`
    const messages: readonly Message[] = [
      { role: 'system', content: `${system}\n\nText:\n${text}` },
      { role: 'user', content: 'Write down the entities and relationships of this text.' },
      ...replies.flatMap((reply): readonly Message[] => [
        { role: 'assistant', content: reply.delimited ?? JSON.stringify(reply) },
        {
          role: 'user',
          content: 'Many entities and relationships were missed. Write down those that are missing, in the same form.',
        },
      ]),
    ]
    return { messages, maxTokens: 4096 }
  },
})

/** Whether anything of a text is still missing from the replies: only an exact Y says yes (GraphRAG, section 2.2). */
export const askForMore = sampledTask<ExtractGraphInput, boolean>({
  name: 'ask-for-more',
  version: 1,
  sample: {
    text: 'Robert Stevenson planned the lighthouse on Cape Wrath.',
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
    const asked =
      'Are there still entities or relationships missing? Reply with the single letter Y for yes or N for no.'
    return { messages: [...messages.slice(0, -1), { role: 'user', content: asked }], maxTokens: 8 }
  },
})

/** One description of an entity or a relation, made of several (GraphRAG, section 2.5). */
export const mergeDescriptions = textTask<{
  readonly names: readonly string[]
  readonly descriptions: readonly string[]
  readonly words: number
}>({
  name: 'merge-descriptions',
  version: 1,
  sample: {
    names: ['CAPE WRATH LIGHTHOUSE'],
    descriptions: ['A lighthouse that was built in 1828.', 'A white tower planned by Robert Stevenson.'],
    words: 500,
  },
  replyTokens: () => 80,
  offline: ({ descriptions }) => centralSentences(descriptions.flatMap(read), 4).join(' ') || descriptions.join(' '),
  system: [
    ({ names }) =>
      `You write one full description of ${names.length > 1 ? 'how two things are related' : 'one thing'} out of several descriptions. Use all that they say, settle what contradicts, name the things, and write in the third person. Reply with the description alone.`,
    ({ names, descriptions }) =>
      `Of: ${names.join(' and ')}\nDescriptions:\n${descriptions.map((description) => `- ${description}`).join('\n')}`.trim(),
  ],
  user: 'Write one description of at most {{words}} words.',
})

/** What is known of a community, as tables or as texts, and the longest report, in words. */
export interface WriteReportInput {
  readonly context: string
  readonly words: number
}

const finding = z.union([
  z.object({ summary: z.string(), explanation: textShape }),
  z.string().transform((summary) => ({ summary, explanation: '' })),
])

const shownReport =
  '{"title": "Arden Mill and John Bell", "summary": "The group is about a water mill and its builder.", "rating": 4, "rating_explanation": "The mill fed one town.", "findings": [{"summary": "John Bell built the mill", "explanation": "John Bell built Arden Mill in 1790."}]}'

/** A report on a community of entities (GraphRAG, section 2.8): title, summary, rating from 0 to 10, and findings. */
export const writeReport = jsonTask({
  name: 'write-report',
  version: 2,
  sample: {
    context: 'Robert Stevenson planned the lighthouse on Cape Wrath. It was built in 1828.',
    words: 2000,
  },
  replyTokens: () => 700,
  example: shownReport,
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
  offline: ({ context }: WriteReportInput) => reportOn(context),
  system: [
    `You write a report on a group of related entities. Say who and what they are, how they are related, and what matters about them; claim nothing that the data does not say.
It has a short title with the main names, a summary of the whole, a rating from 0 to 10 of how important the group is with one sentence that explains it, and five to ten findings, each a short summary and an explanation of some sentences.
Reply with JSON of this shape and nothing else:
${shownReport}`,
    ({ context }) => `Data:\n${context.trim()}`.trim(),
  ],
  user: 'Write the report in at most {{words}} words.',
  maxTokens: 4096,
})
