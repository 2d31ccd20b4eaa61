import { z } from 'zod'
import { wordShape, optionalWordShape } from './entities.ts'
import { eventsIn, relationsOf } from './stand-ins/facts.ts'
import { namesIn } from './stand-ins/names.ts'
import { read } from './stand-ins/reading.ts'
import { halvesBy, jsonOnly, jsonTask, samples } from './task.ts'

/** The subjects and the events of a chunk (HLGraphRAG, index; one call for both is our reading). */
export const listSubjects = jsonTask({
  name: 'list-subjects',
  sample: { text: samples.text },
  replyTokens: ({ text }) => text.length / 10,
  output: z.object({ subjects: z.array(wordShape), events: z.array(wordShape) }),
  halves: halvesBy('text'),
  offline: ({ text }) => ({
    subjects: namesIn(text),
    events: eventsIn(text).map(({ event }) => event),
  }),
  system: [
    `You list the subjects and the events of a text. Subjects are people, places, works, things and ideas, each named once as the text names it. Events are what happens or happened, each as a short sentence.
${jsonOnly}, for example:
{"subjects": ["Arden Mill", "John Bell"], "events": ["A fire closed Arden Mill"]}`,
    'Text:\n{{text}}',
  ],
  user: 'List the subjects and the events of this text.',
  maxTokens: 2048,
})

const relation = z.object({ meaning: wordShape, object1: optionalWordShape, object2: optionalWordShape })
const directionalRelation = relation.extend({ reverse: optionalWordShape })

/** The relation from the first to the second object, and its `reverse`; empty if missing. */
export type Relation = Readonly<z.output<typeof directionalRelation>>

/** Reasoning that the prompt requests first; anything is accepted, because nothing reads it. */
const stepsShape = z.preprocess((value) => (typeof value === 'string' ? value : ''), z.string())

const sample = {
  text: samples.text,
  subjects: ['Robert Stevenson', 'lighthouse on Cape Wrath'],
}

/** Subject-relation query: relations between the subjects of a chunk, step by step (HLGraphRAG, SRQ). */
export const relateSubjects = relationTask('relate-subjects', false)

/** The same with a second label, from the second object to the first (HLGraphRAG, directional weights). */
export const relateSubjectsBothWays = relationTask('relate-subjects-both-ways', true)

function relationTask(name: string, bothWays: boolean) {
  const back = bothWays
    ? ' Write "meaning" as object1 would tell it, in the active voice, and "reverse" as object2 would tell it, in the passive voice: who pushed, and who was pushed.'
    : ''
  const exampleRelation = { meaning: 'built', object1: 'John Bell', object2: 'Arden Mill' }
  const example = JSON.stringify({
    steps: 'The mill: Bell built it, a fire closed it.',
    relations: [bothWays ? { ...exampleRelation, reverse: 'was built by' } : exampleRelation],
  })
  return jsonTask({
    name,
    sample,
    replyTokens: ({ text }) => text.length / 4,
    output: z
      .object({ steps: stepsShape, relations: z.array(bothWays ? directionalRelation : relation) })
      .transform(({ relations }) => ({ relations: relations.map((fields): Relation => ({ reverse: '', ...fields })) })),
    halves: halvesBy('text'),
    offline: ({ text, subjects }) => ({ relations: relationsOf(text, subjects) }),
    system: [
      `You find the relations between the subjects of a text. Go through the subjects step by step: what does the text say of each, and which others has it to do with? Write the steps down in a few words first, then every relation between two subjects that the text states, and nothing that it does not state.${back}
${jsonOnly}, for example:
${example}`,
      'Text:\n{{text}}',
    ],
    user: 'Subjects:\n{{subjects:json}}',
    maxTokens: 4096,
  })
}

const event = z.object({
  event: wordShape,
  object1: optionalWordShape,
  object2: optionalWordShape,
  why: optionalWordShape,
  time: optionalWordShape,
})
const directionalEvent = event.extend({ reverse: optionalWordShape })

/** An event, up to two subjects, reason and time; `reverse`: from the second subject's view; empty if missing. */
export type RelatedEvent = Readonly<z.output<typeof directionalEvent>>

/** Event context routing: subjects, reason and time of a chunk's events (HLGraphRAG, ECR). */
export const relateEvents = eventTask('relate-events', false)

/** The same with the event from the second subject's view (HLGraphRAG, directional weights). */
export const relateEventsBothWays = eventTask('relate-events-both-ways', true)

function eventTask(name: string, bothWays: boolean) {
  const back = bothWays
    ? ' Tell "event" from object1, which acts, in the active voice, and "reverse" from object2, to which it happens, in the passive voice: who pushed, and who was pushed.'
    : ''
  const exampleEvent = {
    event: 'A fire closed Arden Mill',
    object1: 'fire',
    object2: 'Arden Mill',
    why: 'the grain caught fire',
    time: 'spring of 1920',
  }
  const example = JSON.stringify({
    events: [bothWays ? { ...exampleEvent, reverse: 'Arden Mill was closed by a fire' } : exampleEvent],
  })
  return jsonTask({
    name,
    sample: { ...sample, events: ['The lighthouse was built'] },
    replyTokens: ({ text }) => text.length / 4,
    output: z
      .object({ events: z.array(bothWays ? directionalEvent : event) })
      .transform(({ events }) => ({ events: events.map((fields): RelatedEvent => ({ reverse: '', ...fields })) })),
    halves: halvesBy('events'),
    offline: ({ text }) => ({ events: eventsIn(text) }),
    system: [
      `You say of each event of a text which one or two subjects it concerns, why it happened, and in what general time frame.${back} Leave a field empty ("") where the text does not say.
${jsonOnly}, for example:
${example}`,
      'Text:\n{{text}}',
    ],
    user: 'Events:\n{{events:json}}\n\nSubjects:\n{{subjects:json}}',
    maxTokens: 4096,
  })
}

/** The main ideas of a message, which are searched separately (HLGraphRAG, decomposition). */
export const splitIdeas = jsonTask({
  name: 'split-ideas',
  sample: { message: 'I liked the lighthouse best. Who planned it, and when was it built?', most: 5 },
  replyTokens: ({ message }) => message.length / 4,
  output: z.array(wordShape),
  offline: ({ message, most }) =>
    read(message)
      .slice(0, most)
      .map(({ text }) => text),
  system: `You take a message apart into its main ideas: what one would have to look up to reply to it. Write 1 to {{most}} of them, the most important first, each so that it is understood by itself.
Reply with a JSON list and nothing else, for example:
["who built Arden Mill", "the fire of 1920"]`,
  user: '{{message}}',
  maxTokens: 512,
})
