import { ModelError } from '../../errors.ts'
import type { Budget, Graph, Lookup, LookupPassage, Models, Passage, Query } from '../../types.ts'
import { retrieve, searchQueryOf, type Searchable } from '../asking/retrieve.ts'

/** An index with its graph, ready to be asked. */
export interface LookupContext extends Searchable {
  readonly graph: Graph
  readonly budget: Budget
  /** Gives the models to the question of that id, seeded as in a run. */
  readonly asking: <T>(questionId: string, work: (models: Models) => Promise<T>) => Promise<T>
}

/** What the questions of the dataset and the own ones bring; those whose call failed are counted. */
export async function lookUpAll(
  context: LookupContext,
  own: readonly string[],
): Promise<{ readonly lookups: readonly Lookup[]; readonly failed: number }> {
  const { chunked, method, graph } = context
  const { corpus, locate } = chunked
  const placed = places(graph)
  const chunks = new Map(chunked.chunks.map((chunk) => [chunk.id, chunk]))
  const nodeOf = (id: string) => placed.byId.get(id) ?? placed.byText.get(chunks.get(id)?.text ?? '') ?? []
  const asked = await Promise.all([
    ...corpus.questions.map(async (question) => {
      const found = await lookUp(searchQueryOf(question, method), context, placed)
      const evidence = question.evidence && locate.relevant(question.evidence).relevant.flatMap(nodeOf)
      return found && { question: question.text, own: false, found, ...(evidence && { evidence }) }
    }),
    ...own.map(async (text, number) => {
      const found = await lookUp({ id: `own ${number + 1}`, text }, context, placed)
      return found && { question: text, own: true, found }
    }),
  ])
  const lookups = asked.filter((one) => one !== undefined)
  return { lookups, failed: asked.length - lookups.length }
}

/** The nodes of what one question brings within the budget; undefined where a call failed. */
async function lookUp(
  query: Query,
  context: LookupContext,
  placed: Places,
): Promise<readonly LookupPassage[] | undefined> {
  try {
    const { passages } = await context.asking(query.id, (models) => retrieve(query, context, context.budget, models))
    return passages.map((passage) => {
      const nodes = nodesOf(passage, placed)
      const { score, text, why } = passage
      return { nodes, score, ...(nodes.length === 0 && { text }), ...(why && { why }) }
    })
  } catch (error) {
    if (error instanceof ModelError) return undefined
    throw error
  }
}

interface Places {
  readonly byId: ReadonlyMap<string, number>
  readonly byText: ReadonlyMap<string, number>
}

/** Equal texts belong to the first node that has them. */
const places = ({ nodes }: Graph): Places => ({
  byId: new Map(nodes.map(({ id }, index) => [id, index])),
  byText: new Map(nodes.map(({ text }, index) => [text, index] as const).reverse()),
})

/** The nodes that a passage names, or the node of its id or text, or those of the chunks that it was made of. */
function nodesOf({ kind, from, text, why }: Passage, { byId, byText }: Places): readonly number[] {
  const named = why?.['nodes']
  if (Array.isArray(named)) return named.flatMap((id: string | number) => byId.get(String(id)) ?? [])
  const sources = from.flatMap((id) => byId.get(id) ?? [])
  if (kind === 'chunk' && sources.length > 0) return sources
  const same = byText.get(text)
  return same === undefined ? sources : [same]
}

/** The graph that a method keeps, or an Error that says what is wrong with it: a method may be a plug-in. */
export function checkGraph(graph: Graph, method: string): Graph {
  const { nodes, edges, groups = [], levels = [], notes = [], spectrum = [] } = graph
  const lost = nodes.findIndex(({ id, kind, text }) => [id, kind, text].some((word) => typeof word !== 'string'))
  if (lost >= 0) throw new Error(`${method} returned a graph whose node ${lost + 1} has no id, no kind or no text`)
  const odd = nodes.findIndex(
    ({ from }) => from !== undefined && !(Array.isArray(from) && from.every((id) => typeof id === 'string')),
  )
  if (odd >= 0) throw new Error(`${method} returned a graph whose node ${odd + 1} comes "from" what is no list of ids`)
  const isNode = (index: number): boolean => Number.isInteger(index) && index >= 0 && index < nodes.length
  const loose = edges.findIndex(({ from, to, weight }) => !isNode(from) || !isNode(to) || !Number.isFinite(weight))
  const edge = edges[loose]
  if (edge) {
    throw new Error(
      `${method} returned a graph whose edge ${loose + 1}, from ${edge.from} to ${edge.to} with weight ${edge.weight}, is not valid (number of nodes: ${nodes.length})`,
    )
  }
  if ([...groups, ...notes].some((words) => typeof words !== 'string'))
    throw new Error(`${method} returned a graph in which the name of a group or a note is not text`)
  const uneven = levels.find((level) => level.groups.length !== nodes.length || !level.groups.every(Number.isInteger))
  if (uneven)
    throw new Error(`${method} returned a graph whose level "${uneven.name}" has no whole number for each of its nodes`)
  if (!spectrum.every(Number.isFinite))
    throw new Error(`${method} returned a graph whose spectrum has values that are not numbers`)
  return graph
}
