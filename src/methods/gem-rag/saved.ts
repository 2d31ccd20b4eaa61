import { itemAt } from '../../basics/collections.ts'
import { UserError } from '../../errors.ts'
import { shapeFaults, listOf } from '../../text/shape-faults.ts'
import type { Chunk } from '../../types.ts'
import { type Gem, type Memory, type GemNode, type UtilityQuestion, factorsOf, type ThemeMark } from './memory.ts'
import type { Spectrum } from './themes.ts'
import { unpacked32, unpacked64, packed32, packed64 } from '../shared/packed-numbers.ts'
import { z } from 'zod'
import { gemOptions, type GemOptions } from './options.ts'
import { neighbours, strongestEdges } from './drawing.ts'

/** The memories as plain JSON data; `loadedGem` gives the same again. Why a node has no questions is not kept. */
export function savedGem({ options, chunks, memories }: Gem): SavedGem {
  const places = new Map(chunks.map(({ id }, place) => [id, place]))
  const dimensions = memories[0]?.nodes[0]?.vector.length ?? 0
  return { options, dimensions, memories: memories.map((memory) => savedMemory(memory, options, dimensions, places)) }
}

function savedMemory(
  { nodes, spectrum, components, unreadSummaries, cutSummaries }: Memory,
  options: GemOptions,
  dimensions: number,
  places: ReadonlyMap<string, number>,
): SavedMemory {
  const asked = nodes.flatMap(({ questions }) => questions)
  const inRoles = asked.some(({ raw, asDocument }) => raw !== asDocument)
  const textsOf = (node: Memory['nodes'][number]): readonly string[] => node.questions.map(({ text }) => text)
  return {
    chunks: nodes.flatMap((node) =>
      node.theme ? [] : [{ chunk: places.get(itemAt(node.from, 0)) ?? -1, questions: textsOf(node) }],
    ),
    summaries: nodes.flatMap((node) =>
      node.theme ? [{ text: node.text, questions: textsOf(node), theme: savedTheme(node.theme) }] : [],
    ),
    vectors: packed32(
      nodes.map(({ vector }) => vector),
      dimensions,
    ),
    questionVectors: packed32(
      asked.map(({ raw }) => raw),
      dimensions,
    ),
    ...(inRoles && {
      questionVectorsAsDocuments: packed32(
        asked.map(({ asDocument }) => asDocument),
        dimensions,
      ),
    }),
    edges: strongestEdges(factorsOf(nodes), options.symmetrize, neighbours).edges,
    spectrum: spectrum ? savedSpectrum(spectrum) : null,
    ...{ components, unreadSummaries, cutSummaries },
  }
}

const savedTheme = ({ number, eigenvalue, members, weights }: ThemeMark): ThemeMark => ({
  ...{ number, eigenvalue, members, weights },
})

function savedSpectrum({ graph, pairs, values }: Spectrum): NonNullable<SavedMemory['spectrum']> {
  const { n, form, degrees, trace, Lambda, pairStats } = graph
  return {
    ...{ form, degrees: packed64([degrees], n), trace, Lambda, ...pairStats },
    eigenvalues: [...pairs.values],
    eigenvectors: packed64(pairs.vectors, n),
    residuals: [...pairs.residuals],
    values: [...values],
    ...{ solver: pairs.solver, iterations: pairs.iterations, converged: pairs.converged },
  }
}

/** The memories that `savedGem` wrote, over the same chunks. Throws UserError saying where `saved` is wrong. */
export function loadedGem(saved: unknown, chunks: readonly Chunk[]): Gem {
  const read = savedGemForm.safeParse(saved)
  if (!read.success)
    throw new UserError(shapeFaults(savedGemForm, saved, {})[0]?.message ?? 'the graph is not readable')
  const { options, dimensions, memories } = read.data
  return {
    ...{ options, chunks },
    memories: memories.map((memory, index) => loadedMemory(memory, dimensions, chunks, `memories[${index}]`)),
  }
}

function loadedMemory(saved: SavedMemory, dimensions: number, chunks: readonly Chunk[], place: string): Memory {
  const { summaries, spectrum, components, unreadSummaries, cutSummaries } = saved
  if (saved.chunks.length === 0) throw new UserError(`"${place}.chunks" must not be an empty list`)
  if (dimensions === 0) throw new UserError('"dimensions" must not be 0')
  const sources = saved.chunks.map(({ chunk }, index) => {
    const found = chunks[chunk]
    if (!found)
      throw new UserError(
        `"${place}.chunks[${index}].chunk" is ${chunk}, and the file has ${chunks.length} chunks, counted from 0`,
      )
    return found
  })
  refuseLooseEnds(saved, place)
  const texts = [
    ...sources.map(({ text, id }): Text => ({ kind: 'chunk', text, from: [id] })),
    ...summaries.map(({ text, theme }): Text => ({
      kind: 'summary',
      text,
      from: theme.members.flatMap((member) => sources[member]?.id ?? []),
      theme,
    })),
  ]
  return {
    nodes: nodesOf(texts, saved, dimensions, place),
    spectrum: spectrum ? loadedSpectrum(spectrum, sources.length, `${place}.spectrum`) : undefined,
    ...{ components, unreadSummaries, cutSummaries },
  }
}

type Text = Pick<GemNode, 'kind' | 'text' | 'from' | 'theme'>

/** Every edge, and every member of a theme, must be a node that there is. */
function refuseLooseEnds({ chunks, summaries, edges }: SavedMemory, place: string): void {
  for (const [index, { theme }] of summaries.entries()) {
    const { members, weights } = theme
    const at = `${place}.summaries[${index}].theme`
    const lost = members.find((member) => member >= chunks.length)
    if (lost !== undefined)
      throw new UserError(
        `"${at}.members" names the chunk node ${lost}, and there are ${chunks.length}, counted from 0`,
      )
    if (weights.length !== members.length)
      throw new UserError(`"${at}.weights" has ${weights.length} numbers for ${members.length} members`)
  }
  const nodes = chunks.length + summaries.length
  const loose = edges.findIndex(({ from, to }) => from >= nodes || to >= nodes)
  if (loose >= 0)
    throw new UserError(
      `"${place}.edges[${loose}]" leads from node ${edges[loose]?.from} to node ${edges[loose]?.to}, and there are ${nodes}, counted from 0`,
    )
}

function nodesOf(texts: readonly Text[], saved: SavedMemory, dimensions: number, place: string): readonly GemNode[] {
  const asked = [...saved.chunks, ...saved.summaries].map(({ questions }) => questions)
  const total = asked.reduce((sum, questions) => sum + questions.length, 0)
  const vectors = unpacked32(saved.vectors, texts.length, dimensions, `${place}.vectors`)
  const raws = unpacked32(saved.questionVectors, total, dimensions, `${place}.questionVectors`)
  const { questionVectorsAsDocuments: roles } = saved
  const asDocuments =
    roles === undefined ? raws : unpacked32(roles, total, dimensions, `${place}.questionVectorsAsDocuments`)
  let next = 0
  const questionOf = (text: string): UtilityQuestion => {
    const [raw = empty, asDocument = empty] = [raws[next], asDocuments[next]]
    next++
    return { text, raw, asDocument }
  }
  return texts.map((text, index) => ({
    ...text,
    vector: vectors[index] ?? empty,
    questions: (asked[index] ?? []).map(questionOf),
  }))
}

const empty = new Float32Array()

function loadedSpectrum(saved: NonNullable<SavedMemory['spectrum']>, n: number, place: string): Spectrum {
  const { form, trace, Lambda, asymmetryMax, negativeShare, eigenvalues, residuals, solver, iterations } = saved
  const [degrees = new Float64Array()] = unpacked64(saved.degrees, 1, n, `${place}.degrees`)
  return {
    graph: { n, form, degrees, trace, Lambda, pairStats: { asymmetryMax, negativeShare } },
    pairs: {
      values: Float64Array.from(eigenvalues),
      vectors: unpacked64(saved.eigenvectors, eigenvalues.length, n, `${place}.eigenvectors`),
      residuals: Float64Array.from(residuals),
      ...{ solver, iterations, converged: saved.converged },
    },
    values: Float64Array.from(saved.values),
  }
}

const count = z.int().min(0)
const number = z.number()
const questions = listOf(z.string()).describe('utility questions')

/** A summary node: its members among the memory's chunk nodes, strongest first, with their entries. */
const summary = z.object({
  text: z.string(),
  questions,
  theme: z.object({
    number: z.int().min(1),
    eigenvalue: number.nullable(),
    members: listOf(count),
    weights: listOf(number),
  }),
})

/**
 * The spectrum of the chunk nodes. `degrees` are the row sums of W, a 64-bit number a node. `eigenvectors` are unit
 * vectors, 64-bit numbers, one vector after the other in the order of `eigenvalues`; `values` are the eigenvalues that
 * Remark 2 reads.
 */
const spectrum = z.object({
  form: z.enum(['stored', 'implicit', 'corrected', 'unclamped']),
  degrees: z.string(),
  trace: number,
  Lambda: number,
  asymmetryMax: number.nullable(),
  negativeShare: number.nullable(),
  eigenvalues: listOf(number),
  eigenvectors: z.string(),
  residuals: listOf(number),
  values: listOf(number),
  solver: z.enum(['dense', 'iterative']),
  iterations: count,
  converged: z.boolean(),
})

/**
 * One memory. Its nodes are `chunks`, each the place of a chunk in the file's list from 0, and then `summaries`.
 * `vectors` are those of the nodes in this order, `questionVectors` those of their questions, node by node;
 * `questionVectorsAsDocuments` is there where the embedder tells queries from documents. Vectors are 32-bit numbers.
 * `edges` are the strongest 8 of every node; the graph is complete, and this and every other weight W follows from the
 * vectors and the options: S_ij is the sum, over the questions q of i, of the cosine of (q + v_i) / 2 with v_j, and
 * W_ij joins S_ij and S_ji.
 */
const memory = z.object({
  chunks: listOf(z.object({ chunk: count, questions })),
  summaries: listOf(summary),
  vectors: z.string(),
  questionVectors: z.string(),
  questionVectorsAsDocuments: z.string().optional(),
  edges: listOf(z.object({ from: count, to: count, weight: number })),
  spectrum: spectrum.nullable(),
  components: count,
  unreadSummaries: count,
  cutSummaries: count,
})

/** GEM-RAG's part of a saved index. Numbers in strings are base64 of little-endian bytes (`numbers.ts`). */
const savedGemForm = z.object({ options: gemOptions, dimensions: count, memories: listOf(memory) })

export type SavedGem = z.output<typeof savedGemForm>
type SavedMemory = z.output<typeof memory>
