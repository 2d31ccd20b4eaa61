import { ModelError } from '../../errors.ts'
import { groundingOf, type KeepGrounded } from '../../tasks/grounding.ts'
import {
  listSubjects,
  type Relation,
  relateSubjects,
  relateSubjectsBothWays,
  relateEvents,
  relateEventsBothWays,
  type RelatedEvent,
} from '../../tasks/hlgraphrag.ts'
import { languageOf } from '../../text/language.ts'
import type { Chunk, Models, Task } from '../../types.ts'
import { attempt, refuseAllLost } from '../shared/attempt.ts'
import type { GraphOptions } from './options.ts'

/** A label of one node, or of an edge: `label` from the first end to the second, `back` the reverse; `chunk`: a row. */
export interface Association {
  readonly chunk: number
  readonly ends: readonly [string] | readonly [string, string]
  readonly label: string
  readonly back: string
}

/** Subjects and associations of all chunks, in order, and counts of lost items. */
export type Extraction = Awaited<ReturnType<typeof extract>>

/**
 * Extracts the subjects and events of every chunk, then its relations (SRQ) and the context of its events (ECR): three
 * calls per chunk. Lost replies are counted. Throws ModelError if all are lost.
 */
export async function extract(chunks: readonly Chunk[], models: Models, options: GraphOptions) {
  const grounding = groundingOf(options.ungrounded, await languageOf(chunks.map(({ text }) => text)))
  const extractions = chunks.map(({ text }) => extractChunk(text, models, options, grounding.on(text)))
  const results = await Promise.all(extractions)
  const outcomes = results.flatMap((result) => result.outcomes)
  refuseAllLost({ name: 'extraction' }, outcomes)
  const relations = results.flatMap(({ relations }, chunk) => relations.map((relation) => ({ ...relation, chunk })))
  const events = results.flatMap(({ events }, chunk) => events.map((event) => ({ ...event, chunk })))
  const associationsByChunk = results.map(({ relations, events }, chunk) => [
    ...relations.flatMap((relation) => associationOf(relation, chunk, options)),
    ...events.flatMap((event) => eventAssociation(event, chunk, options)),
  ])
  const associations = associationsByChunk.flat()
  return {
    subjects: results.flatMap(({ subjects }, chunk) => subjects.map((text) => ({ chunk, text }))),
    associations,
    grounding,
    losses: {
      replies: outcomes.filter((outcome) => outcome instanceof ModelError).length,
      // without an object or a meaning
      empty: relations.length + events.length - associations.length,
      chunksWithoutSubject: results.filter(({ subjects }) => subjects.length === 0).length,
      chunksWithoutAssociation: associationsByChunk.filter((chunkAssociations) => chunkAssociations.length === 0)
        .length,
    },
  }
}

async function extractChunk(
  text: string,
  models: Models,
  { relations, events, directedWeights }: GraphOptions,
  keep: KeepGrounded,
) {
  const outcomes: unknown[] = []
  const ask = async <I, T>(task: Task<I, T>, input: I): Promise<T | undefined> => {
    const outcome = await attempt(models, task, input)
    outcomes.push(outcome)
    return outcome instanceof ModelError ? undefined : outcome
  }
  const listReply = await ask(listSubjects, { text })
  const subjectNames = (listReply?.subjects ?? []).filter((subject) => !isBlank(subject))
  const subjects = keep(listSubjects, subjectNames, (subject) => ({ names: [subject] }))
  const eventTexts = keep(listSubjects, listReply?.events ?? [], (event) => ({ statements: [event] }))
  const [relationReply, eventReply] = await Promise.all([
    relations ? ask(directedWeights ? relateSubjectsBothWays : relateSubjects, { text, subjects }) : undefined,
    events
      ? ask(directedWeights ? relateEventsBothWays : relateEvents, { text, events: eventTexts, subjects })
      : undefined,
  ])
  const groundedRelations = keep(relateSubjects, relationReply?.relations ?? [], ({ object1, object2 }) => ({
    names: [object1, object2],
  }))
  return { subjects, relations: groundedRelations, events: groundedEvents(eventReply?.events ?? [], keep), outcomes }
}

/** Events that do not repeat the example, without objects that are not in the text. */
function groundedEvents(events: readonly RelatedEvent[], keep: KeepGrounded): readonly RelatedEvent[] {
  const name = (text: string) => keep(relateEvents, [text], (object) => ({ names: [object] }))[0] ?? ''
  const words = (text: string) => keep(relateEvents, [text], (phrase) => ({ statements: [phrase] }))[0] ?? ''
  return keep(relateEvents, events, ({ event }) => ({ statements: [event] })).map(
    ({ event, object1, object2, why, time, reverse }) => ({
      event,
      object1: name(object1),
      object2: name(object2),
      reverse: words(reverse),
      why: words(why),
      time: words(time),
    }),
  )
}

/** Without directional weights both directions have the same label; a single object labels its node (our reading). */
function associationOf(
  { meaning, reverse, object1, object2 }: Relation,
  chunk: number,
  { directedWeights }: GraphOptions,
): readonly Association[] {
  const ends = endsOf([object1, object2])
  const label = meaning.trim()
  if (!ends || label === '') return []
  return [{ chunk, ends, label, back: directedWeights && !isBlank(reverse) ? reverse.trim() : label }]
}

/** An event with one object becomes a node; one without objects becomes its node's label (our reading). */
function eventAssociation(
  { event, object1, object2, why, time, reverse }: RelatedEvent,
  chunk: number,
  { directedWeights }: GraphOptions,
): readonly Association[] {
  if (isBlank(event)) return []
  const objects = [object1, object2].filter((object) => !isBlank(object))
  const ends = endsOf(objects.length === 2 ? objects : [...objects, event])
  const labelOf = (description: string): string =>
    [description, why, time]
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .join('; ')
  const isTwoWay = directedWeights && objects.length === 2 && !isBlank(reverse)
  return ends ? [{ chunk, ends, label: labelOf(event), back: labelOf(isTwoWay ? reverse : event) }] : []
}

function endsOf(objects: readonly string[]): Association['ends'] | undefined {
  const [first, second] = objects.filter((object) => !isBlank(object))
  if (first === undefined) return undefined
  return second === undefined ? [first] : [first, second]
}

const isBlank = (text: string): boolean => text.trim() === ''
