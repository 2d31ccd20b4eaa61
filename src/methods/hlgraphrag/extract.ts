import { ModelError } from '../../errors.ts'
import { groundingOf, type Grounding, type KeepGrounded } from '../../tasks/grounding.ts'
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

/** What a text says of one node or two: `label` from the first to the second, `back` the other way; `chunk`: a row. */
export interface Association {
  readonly chunk: number
  readonly ends: readonly [string] | readonly [string, string]
  readonly label: string
  readonly back: string
}

/** What the chunks of a corpus say, in their order, and what was lost on the way. */
export interface Extracted {
  readonly subjects: readonly { readonly chunk: number; readonly text: string }[]
  readonly associations: readonly Association[]
  readonly grounding: Grounding
  readonly lost: {
    readonly replies: number
    /** Relations and events of which no object or no meaning is left. */
    readonly empty: number
    /** Relations of one object, which become labels of its node. */
    readonly oneObject: number
    /** With directional weights, relations and events of two subjects that have one label both ways all the same. */
    readonly oneWay: number
    readonly chunksWithoutSubject: number
    readonly chunksWithoutAssociation: number
  }
}

/**
 * Asks of every chunk its subjects and events, then its relations (SRQ) and what its events concern (ECR): three calls.
 * A reply that is lost is counted, and never stops the others. Throws ModelError where every reply was lost.
 */
export async function extract(chunks: readonly Chunk[], models: Models, options: GraphOptions): Promise<Extracted> {
  const grounding = groundingOf(options.ungrounded, await languageOf(chunks.map(({ text }) => text)))
  const found = await Promise.all(chunks.map(({ text }) => extractChunk(text, models, options, grounding.on(text))))
  const outcomes = found.flatMap((one) => one.outcomes)
  refuseAllLost({ name: 'extraction' }, outcomes)
  const relations = found.flatMap(({ relations }, chunk) => relations.map((one) => ({ ...one, chunk })))
  const events = found.flatMap(({ events }, chunk) => events.map((one) => ({ ...one, chunk })))
  const told = found.map(({ relations, events }, chunk) => [
    ...relations.flatMap((one) => associationOf(one, chunk, options)),
    ...events.flatMap((one) => eventAssociation(one, chunk, options)),
  ])
  const associations = told.flat()
  return {
    subjects: found.flatMap(({ subjects }, chunk) => subjects.map((text) => ({ chunk, text }))),
    associations,
    grounding,
    lost: {
      replies: outcomes.filter((outcome) => outcome instanceof ModelError).length,
      empty: relations.length + events.length - associations.length,
      oneObject: relations.filter(({ object1, object2 }) => isBlank(object1) !== isBlank(object2)).length,
      oneWay: options.directedWeights
        ? relations.filter(({ reverse }) => isBlank(reverse)).length +
          events.filter(({ reverse, object1, object2 }) => isBlank(reverse) && !isBlank(object1) && !isBlank(object2))
            .length
        : 0,
      chunksWithoutSubject: found.filter(({ subjects }) => subjects.length === 0).length,
      chunksWithoutAssociation: told.filter((own) => own.length === 0).length,
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
  const listed = await ask(listSubjects, { text })
  const named = (listed?.subjects ?? []).filter((subject) => !isBlank(subject))
  const subjects = keep(listSubjects, named, (subject) => ({ names: [subject] }))
  const happened = keep(listSubjects, listed?.events ?? [], (event) => ({ statements: [event] }))
  const [related, routed] = await Promise.all([
    relations ? ask(directedWeights ? relateSubjectsBothWays : relateSubjects, { text, subjects }) : undefined,
    events
      ? ask(directedWeights ? relateEventsBothWays : relateEvents, { text, events: happened, subjects })
      : undefined,
  ])
  const stated = keep(relateSubjects, related?.relations ?? [], ({ object1, object2 }) => ({
    names: [object1, object2],
  }))
  return { subjects, relations: stated, events: groundedEvents(routed?.events ?? [], keep), outcomes }
}

/** Events that do not repeat the example, without objects and reasons that the text lacks. */
function groundedEvents(events: readonly RelatedEvent[], keep: KeepGrounded): readonly RelatedEvent[] {
  const name = (text: string) => keep(relateEvents, [text], (one) => ({ names: [one] }))[0] ?? ''
  const words = (text: string) => keep(relateEvents, [text], (one) => ({ statements: [one] }))[0] ?? ''
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

/** Without directional weights the label is the same both ways; one object alone has its own (our reading). */
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

/** An event of one object leads to a node of its own; one of none is a label (our reading). `back`: from the second. */
function eventAssociation(
  { event, object1, object2, why, time, reverse }: RelatedEvent,
  chunk: number,
  { directedWeights }: GraphOptions,
): readonly Association[] {
  if (isBlank(event)) return []
  const objects = [object1, object2].filter((object) => !isBlank(object))
  const ends = endsOf(objects.length === 2 ? objects : [...objects, event])
  const told = (happened: string): string =>
    [happened, why, time]
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .join('; ')
  const isTwoWay = directedWeights && objects.length === 2 && !isBlank(reverse)
  return ends ? [{ chunk, ends, label: told(event), back: told(isTwoWay ? reverse : event) }] : []
}

function endsOf(objects: readonly string[]): Association['ends'] | undefined {
  const [first, second] = objects.filter((object) => !isBlank(object))
  if (first === undefined) return undefined
  return second === undefined ? [first] : [first, second]
}

const isBlank = (text: string): boolean => text.trim() === ''
