import { ModelError } from '../../errors.ts'
import { mergeDescriptions } from '../../tasks/graphrag-index.ts'
import type { KeepGrounded } from '../../tasks/grounding.ts'
import type { Graph, Models } from '../../types.ts'
import { attempt } from './attempt.ts'

/** Entities and the relations between them, as a model extracts them from one text. */
interface Records<E, R> {
  readonly entities: readonly E[]
  readonly relationships: readonly R[]
}

/** The records whose names occur in the text, without copies of the example of the prompt. */
export const groundedRecords = <
  E extends { readonly name: string; readonly description: string },
  R extends { readonly source: string; readonly target: string; readonly description: string },
>(
  task: Parameters<KeepGrounded>[0],
  { entities, relationships }: Records<E, R>,
  keep: KeepGrounded,
): Records<E, R> => ({
  entities: keep(task, entities, ({ name, description }) => ({ names: [name], statements: [description] })),
  relationships: keep(task, relationships, ({ source, target, description }) => ({
    names: [source, target],
    statements: [description],
  })),
})

/** Merges descriptions of a name, or of a pair of names, in one call; undefined for a lost reply, which is counted. */
export function descriptionMerger(models: Models, words: number) {
  const counts = { calls: 0, lost: 0 }
  const merge = async (names: readonly string[], descriptions: readonly string[]): Promise<string | undefined> => {
    counts.calls++
    const reply = await attempt(models, mergeDescriptions, { names, descriptions, words })
    if (!(reply instanceof ModelError)) return reply
    counts.lost++
    return undefined
  }
  return { merge, counts }
}

/** Counts the tokens of a text. */
export type Count = (text: string) => number

/** A section of a context: its text and the items in it. */
export interface Section<T> {
  readonly text: string
  readonly tokens: number
  readonly items: readonly T[]
}

/** The longest prefix of a list whose rows fit `tokens` below a header. Rows bring their line feeds. */
export function fittingRows<T>(
  head: string,
  items: readonly T[],
  rowOf: (item: T, place: number) => string,
  tokens: number,
  count: Count,
): Section<T> {
  const rows: string[] = []
  let usedTokens = count(head)
  for (const [place, item] of items.entries()) {
    const row = rowOf(item, place)
    const cost = count(row)
    if (usedTokens + cost > tokens) break
    usedTokens += cost
    rows.push(row)
  }
  return { text: head + rows.join(''), tokens: usedTokens, items: items.slice(0, rows.length) }
}

/** A graph whose edges name the ids of their ends; an edge without one of its ends is left out. */
export function connectedGraph(
  nodes: Graph['nodes'],
  edges: readonly { readonly ends: readonly [string, string]; readonly weight: number; readonly kind: string }[],
): Graph {
  const places = new Map(nodes.map(({ id }, place) => [id, place]))
  return {
    nodes,
    edges: edges.flatMap(({ ends: [start, end], ...edge }) => {
      const [from, to] = [places.get(start), places.get(end)]
      return from === undefined || to === undefined ? [] : [{ from, to, ...edge }]
    }),
  }
}
