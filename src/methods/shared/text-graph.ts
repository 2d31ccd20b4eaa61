import { countEach, itemAt } from '../../basics/collections.ts'
import { ModelError } from '../../errors.ts'
import { groundingWarnings, type Grounding } from '../../tasks/grounding.ts'
import type { SampledTask } from '../../tasks/task.ts'
import type { Graph } from '../../types.ts'
import { refuseAllLost } from './attempt.ts'
import type { DescriptionMerger } from './descriptions.ts'

/** Entities and the relations between them, as a model extracts them from one text. */
interface Records<E, R> {
  readonly entities: readonly E[]
  readonly relationships: readonly R[]
}

/** The records of one text, or why there are none; `unread`: replies that added nothing because they were lost. */
export interface Extraction<G> {
  readonly records: G | ModelError
  readonly unread: number
}

/**
 * Extracts the graph of one text in one chat: a first reply, then `gleanings`, which ask for what is missing, from the
 * second on only where `wantsMore`. `standIn` takes the place of an unreadable gleaning in the chat; with `isPatient`
 * also of an unreadable first reply. A refused call loses the text.
 */
export async function extractInChat<T, G>({ ask, gleanings, standIn, merge, isPatient, wantsMore }: Chat<T, G>) {
  const replies: T[] = []
  const losses: ModelError[] = []
  const end = (records: G | ModelError): Extraction<G> => ({ records, unread: losses.length })
  while (replies.length <= gleanings) {
    const more = replies.length < 2 || !wantsMore || (await wantsMore([...replies]))
    if (more instanceof ModelError) return end(more)
    if (!more) break
    const reply = await ask([...replies])
    if (!(reply instanceof ModelError)) replies.push(reply)
    else if (reply.kind !== 'reply' || (replies.length === 0 && !isPatient)) return end(reply)
    else {
      losses.push(reply)
      replies.push(standIn(reply))
    }
  }
  const [loss] = losses.length < replies.length ? [] : losses
  return end(loss ?? merge(replies))
}

interface Chat<T, G> {
  readonly ask: (replies: readonly T[]) => Promise<T | ModelError>
  readonly gleanings: number
  readonly standIn: (error: ModelError) => T
  readonly merge: (replies: readonly T[]) => G
  readonly isPatient?: boolean
  readonly wantsMore?: (replies: readonly T[]) => Promise<boolean | ModelError>
}

/**
 * The graphs of texts, by the place of the text: records whose names occur in it, without copies of the example of the
 * prompt. Throws ModelError if every text is lost.
 */
export async function extractGraphs<
  E extends { readonly name: string; readonly description: string },
  R extends { readonly source: string; readonly target: string; readonly description: string },
>(
  texts: readonly string[],
  task: Pick<SampledTask, 'name' | 'example'>,
  grounding: Grounding,
  extract: (text: string) => Promise<Extraction<Records<E, R>>>,
) {
  const extractions = await Promise.all(texts.map(extract))
  refuseAllLost(
    task,
    extractions.map(({ records }) => records),
  )
  const graphs = extractions.flatMap(({ records }, id) => {
    if (records instanceof ModelError) return []
    const keep = grounding.on(itemAt(texts, id))
    const entities = keep(task, records.entities, ({ name, description }) => ({
      names: [name],
      statements: [description],
    }))
    const relationships = keep(task, records.relationships, ({ source, target, description }) => ({
      names: [source, target],
      statements: [description],
    }))
    return [{ id, entities, relationships }]
  })
  return {
    graphs,
    failures: texts.length - graphs.length,
    unread: extractions.reduce((sum, { records, unread }) => (records instanceof ModelError ? sum : sum + unread), 0),
  }
}

/** The warnings of an index whose graphs were extracted, and whose descriptions were merged. */
export const graphWarnings = (
  { failures, unread }: Readonly<Record<'failures' | 'unread', number>>,
  { counts }: Pick<DescriptionMerger, 'counts'>,
  grounding: Grounding,
) => ({
  'texts without a graph, because the extraction could not be read or was refused': failures,
  'gleanings that could not be read and added nothing to their text': unread,
  'descriptions joined, because the reply that merges them could not be read or was refused': counts.lost,
  ...groundingWarnings(grounding),
})

type Node = Graph['nodes'][number]

/** An edge between the ids of two nodes. */
interface NamedEdge {
  readonly ends: readonly [string, string]
  readonly weight: number
  readonly kind: string
}

/** The nodes of a drawing of entities and of the texts that name them, with relations and other edges. */
interface TextGraphParts {
  /** `texts`: ids of the texts that name it, once per mention. */
  readonly entities: readonly (Omit<Node, 'kind'> & { readonly texts: readonly string[] })[]
  readonly relations: readonly Omit<NamedEdge, 'kind'>[]
  readonly texts: readonly Node[]
  readonly otherNodes?: readonly Node[]
  readonly otherEdges?: readonly NamedEdge[]
}

/** Draws entities, other nodes, then texts. An edge without one of its ends is left out. */
export function drawTextGraph(parts: TextGraphParts): Graph {
  const { entities, relations, texts, otherNodes = [], otherEdges = [] } = parts
  const entityNodes = entities.map(({ texts: _, ...entity }) => ({ ...entity, kind: 'entity' }))
  const nodes = [...entityNodes, ...otherNodes, ...texts]
  const places = new Map(nodes.map(({ id }, place) => [id, place]))
  const edges: readonly NamedEdge[] = [
    ...relations.map((relation) => ({ ...relation, kind: 'related' })),
    ...otherEdges,
    ...entities.flatMap((entity) =>
      Array.from(countEach(entity.texts), ([text, weight]) => ({
        ends: [entity.id, text] as const,
        weight,
        kind: 'stands in',
      })),
    ),
  ]
  return {
    nodes,
    edges: edges.flatMap(({ ends: [start, end], ...edge }) => {
      const from = places.get(start)
      const to = places.get(end)
      return from === undefined || to === undefined ? [] : [{ from, to, ...edge }]
    }),
  }
}
