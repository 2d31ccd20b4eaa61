import { z } from 'zod'
import { halvesBy, jsonOnly, jsonTask, samples } from './task.ts'
import { triplesOf } from './stand-ins/facts.ts'
import { describedEntities, namesIn } from './stand-ins/names.ts'
import { englishNumerals } from '../text/matching/vocabulary.ts'
import { closest, line, read } from './stand-ins/reading.ts'
import { shorten } from './stand-ins/summaries.ts'

/** A fact: subject, predicate, object (HippoRAG 2, section 3.1). */
export type Triple = readonly [subject: string, predicate: string, object: string]

/** A word or name in a reply; models write years and booleans without quotes. */
export const wordShape = z.preprocess(
  (value) => (typeof value === 'number' || typeof value === 'boolean' ? String(value) : value),
  z.string(),
)

/** The same, optional: empty for null or undefined. */
export const optionalWordShape = z.preprocess((value) => value ?? '', wordShape)

/** A triple in a reply; its JSON schema is a list of three strings, because servers reject tuples. */
const tripleShape = z
  .array(wordShape)
  .length(3)
  .pipe(z.tuple([z.string(), z.string(), z.string()]))

/** A list of three words as a triple; empty for anything else. */
export function tripleOf(raw: unknown): readonly Triple[] {
  const read = tripleShape.safeParse(raw)
  return read.success ? [read.data] : []
}

const examplePassage =
  'Arden Mill\nArden Mill is a water mill in Kent. John Bell built it in 1790. It ground corn for Maidstone until a fire closed it in May 1920.'

const exampleEntities = ['Arden Mill', 'Kent', 'John Bell', '1790', 'Maidstone', 'May 1920'] as const

/** First step of OpenIE: named entities of a passage (HippoRAG 2, section 3.1; one-shot). */
export const nameEntities = jsonTask({
  name: 'name-entities',
  sample: { passage: samples.text },
  replyTokens: ({ passage }) => passage.length / 14,
  output: z.object({ named_entities: z.array(wordShape) }),
  halves: halvesBy('passage'),
  offline: ({ passage }) => ({ named_entities: namesIn(passage) }),
  system: `You find the named entities of a passage: people, places, organisations, works, events, dates and numbers that matter. Write each as the passage does, once.
${jsonOnly}: {"named_entities": ["...", "..."]}`,
  user: '{{passage}}',
  demonstration: [examplePassage, JSON.stringify({ named_entities: exampleEntities })],
  maxTokens: 2048, // HippoRAG's limit for OpenIE
})

const exampleQuestion = 'Which mill is older, Arden Mill or Bell Mill?'

/** The named entities of a question, from which a search begins (HippoRAG, section 2.2; one-shot). */
export const nameQuestionEntities = jsonTask({
  name: 'name-question-entities',
  sample: { question: samples.question },
  replyTokens: () => 15,
  output: z.object({ named_entities: z.array(wordShape) }),
  offline: ({ question }) => ({ named_entities: namesIn(question) }),
  system: `You find the named entities of a question that matter for answering it. Write each as the question does, once.
${jsonOnly}: {"named_entities": ["...", "..."]}`,
  user: '{{question}}',
  demonstration: [exampleQuestion, JSON.stringify({ named_entities: ['Arden Mill', 'Bell Mill'] })],
  maxTokens: 2048,
})

// the schema requests triples, but any item parses, so that malformed ones are counted
const { $schema: _, ...tripleSchema } = z.toJSONSchema(tripleShape, { io: 'input' })

const exampleTriples: readonly Triple[] = [
  ['Arden Mill', 'is a', 'water mill'],
  ['Arden Mill', 'is in', 'Kent'],
  ['John Bell', 'built', 'Arden Mill'],
  ['Arden Mill', 'was built in', '1790'],
  ['Arden Mill', 'ground corn for', 'Maidstone'],
  ['a fire', 'closed', 'Arden Mill'],
  ['Arden Mill', 'was closed in', 'May 1920'],
]

const tripleFormat = '{"triples": [["subject", "predicate", "object"]]}'

const passagePrompt = ({ passage, entities }: { passage: string; entities: readonly string[] }) =>
  `Passage:\n${passage}\n\nNamed entities:\n${JSON.stringify(entities)}`

/** Second step of OpenIE: facts of a passage as triples (HippoRAG 2, section 3.1; one-shot). */
export const extractTriples = jsonTask({
  name: 'extract-triples',
  sample: {
    passage: samples.text,
    entities: ['Robert Stevenson', 'Cape Wrath', '1828'],
  },
  replyTokens: ({ passage }) => passage.length / 4,
  output: z
    .object({ triples: z.array(z.unknown().register(z.globalRegistry, tripleSchema)) })
    .transform(({ triples: items }) => {
      const triples = items.flatMap(tripleOf)
      return { triples, malformed: items.length - triples.length }
    })
    .refine(({ triples, malformed }) => triples.length > 0 || malformed === 0, 'no item is a list of three strings'),
  halves: halvesBy('passage'),
  offline: ({ passage, entities }) => ({ triples: triplesOf(passage, entities) }),
  system: `You write down the facts of a passage as triples of subject, predicate and object. Each triple holds at least one, better two, of the named entities. Write names instead of pronouns.
${jsonOnly}: ${tripleFormat}`,
  user: passagePrompt,
  demonstration: [
    passagePrompt({ passage: examplePassage, entities: exampleEntities }),
    JSON.stringify({ triples: exampleTriples }),
  ],
  maxTokens: 2048, // HippoRAG's limit for OpenIE
})

/**
 * Recognition memory: selects at most `most` of the retrieved facts that help to answer the question (HippoRAG 2,
 * section 3.2), within `maxTokens` with reasoning.
 */
export const filterFacts = jsonTask({
  name: 'filter-facts',
  sample: {
    question: samples.question,
    facts: [
      ['robert stevenson', 'planned', 'lighthouse on cape wrath'],
      ['orkney', 'lies north of', 'scotland'],
    ],
    most: 4,
    maxTokens: 512,
  },
  replyTokens: ({ facts }) => 15 * Math.min(4, facts.length),
  // the reference limits the filter more than its other calls
  capped: true,
  output: z.object({ fact: z.array(tripleShape) }),
  offline({ question, facts, most }) {
    const near = closest(
      question,
      facts.map((fact) => line(fact.join(' '))),
    ).filter(({ share }) => share > 0)
    return { fact: near.slice(0, most).map(({ place }) => facts[place]) }
  },
  system: [
    (
      input,
    ) => `You choose the facts that help to answer a question, directly or as a step on the way. Choose at most ${['none', ...englishNumerals.slice(1, 11)][input.most] ?? input.most}, the most helpful first, and copy them exactly. If none helps, reply with an empty list.
${jsonOnly}: {"fact": [["subject", "predicate", "object"]]}
For example, asked who built the mill that burned in 1920, of [["arden mill", "burned in", "1920"], ["kent", "is in", "england"]] you choose: {"fact": [["arden mill", "burned in", "1920"]]}`,
    'Facts:\n{{facts:json}}',
  ],
  user: '{{question}}',
  maxTokens: ({ maxTokens }) => maxTokens,
})

/** The key entities of a chunk, each described in at most three sentences (UnWeaver, section 3; one pass). */
export const extractEntities = jsonTask({
  name: 'extract-entities',
  sample: {
    text: 'Robert Stevenson planned the lighthouse on Cape Wrath. It was built in 1828 and its lamp was seen from Orkney.',
  },
  output: z.array(z.object({ entity_name: z.string().min(1), entity_description: z.string().min(1) })),
  halves: halvesBy('text'),
  offline: ({ text }) =>
    describedEntities(read(text)).map(({ name, description }) => ({
      entity_name: name,
      entity_description: description,
    })),
  system: [
    `You list the key entities of a text: people, places, organisations, things, events, ideas; as many as the text needs.
Describe each in at most three sentences: what it is, what it does, and how it relates to the other entities. Say only what the text says.
Reply with a JSON list and nothing else, for example:
[{"entity_name": "Arden Mill", "entity_description": "A water mill on the river Arden. It ground corn for the town until 1920."}]`,
    'Text:\n{{text}}',
  ],
  user: 'List the key entities of this text with their descriptions.',
  maxTokens: 4096,
})

/** Condenses many joined descriptions into one (UnWeaver: above 4000 characters). */
export const shortenDescription = jsonTask({
  name: 'shorten-description',
  version: 2,
  sample: {
    name: 'Cape Wrath lighthouse',
    description:
      'The lighthouse stands on Cape Wrath. The lighthouse was built in 1828. It is a white tower on Cape Wrath, planned by Robert Stevenson.',
  },
  replyTokens: () => 40,
  output: z.array(z.string().trim().min(1)).length(1),
  offline: ({ description }) => [shorten(read(description), 400, (text) => text.length)],
  system: [
    `You merge several descriptions of one thing into a single brief and coherent one. Keep what matters most, say nothing twice, add nothing.
Reply with a JSON list that holds one string and nothing else, for example:
["A water mill on the river Arden that ground corn for the town until 1920."]`,
    'Name: {{name}}\nDescriptions:\n{{description}}',
  ],
  user: 'Merge these descriptions into one.',
})
