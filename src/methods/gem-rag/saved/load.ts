import { UserError } from '../../../errors.ts'
import { shapeFaults } from '../../../text/shape-faults.ts'
import type { Chunk } from '../../../types.ts'
import type { Gem, Memory } from '../memory.ts'
import type { GemNode, UtilityQuestion } from '../node.ts'
import type { Spectrum } from '../spectrum.ts'
import { savedGemForm, type SavedMemory } from './form.ts'
import { unpacked32, unpacked64 } from '../../shared/packed-numbers.ts'

/** The memories that `savedGem` wrote, over the same chunks. Throws UserError with one line that says where in `saved` what is wrong. */
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
