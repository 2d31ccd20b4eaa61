import { ModelError } from '../../errors.ts'
import { similarityFactors, type Factors } from '../../math/spectrum/factors.ts'
import { fewNodes } from '../../math/spectrum/options.ts'
import { summarise } from '../../tasks/summarise.ts'
import type { Chunk, Models } from '../../types.ts'
import { attempt } from '../attempt.ts'
import { averaged, tagged, type GemNode } from './node.ts'
import type { GemOptions } from './options.ts'
import { spectrumOf, type Spectrum } from './spectrum.ts'
import { clusterThemes, eigenthemes, type Theme } from './themes.ts'

/** A graphical eigen memory: the chunks of a document with their utility questions, and the summaries of its themes. */
export interface Memory {
  /** Chunks first, in order, then summaries in the order of their themes. */
  readonly nodes: readonly GemNode[]
  /** S of all nodes, summaries included, as factors: every summary has edges both ways with every node. Made when first read. */
  readonly factors: Factors
  /** That of the chunks alone: summaries do not enter the decomposition, which comes before them. Only where themes are made of it, or the graph is small. */
  readonly spectrum: Spectrum | undefined
  /** Of the k components, those that made a theme. */
  readonly components: number
  /** Themes whose summary could not be read or was refused: they have no node. */
  readonly unreadSummaries: number
}

/** Builds the memory of one document, step by step as the paper does (section III). */
export async function remember(chunks: readonly Chunk[], models: Models, options: GemOptions): Promise<Memory> {
  // utility questions: what can each chunk be asked?
  const chunkNodes = await tagged(
    chunks.map(({ text, id }) => ({ kind: 'chunk', text, from: [id] })),
    options.questions,
    models,
  )

  // similarity graph: S_ij = sum of cos(v_iq, v_j) over the questions q of i; W its symmetric part; L = D^-1/2 W D^-1/2
  const spectral = options.clustering === 'spectral' && options.components > 0
  const spectrum = spectral || chunks.length <= fewNodes ? spectrumOf(factorsOf(chunkNodes), options) : undefined

  // eigenthemes: the heaviest chunks of the leading eigenvectors
  const themes =
    spectral && spectrum
      ? eigenthemes(spectrum, options)
      : clusterThemes(
          chunkNodes.map(({ vector }) => vector),
          options,
        )

  // summary nodes: each theme in a few words, tagged with questions of its own and tied to every node
  const texts = await summariesOf(themes.flat(), chunkNodes, models, options)
  const summaryNodes = await tagged(texts, options.questions, models)
  const nodes = [...chunkNodes, ...summaryNodes]
  let factors: Factors | undefined
  return {
    nodes,
    get factors() {
      return (factors ??= factorsOf(nodes))
    },
    spectrum,
    components: themes.filter((ofOne) => ofOne.length > 0).length,
    unreadSummaries: themes.flat().length - texts.length,
  }
}

/** S = A Bᵀ; a node without questions is its own single question. */
const factorsOf = (nodes: readonly GemNode[]): Factors =>
  similarityFactors(
    nodes.map(({ questions, vector }) => questions.map(({ asDocument }) => averaged(asDocument, vector))),
    nodes.map(({ vector }) => vector),
  )

/** One summary of every theme's chunks, in document order; none where the reply was of no use. */
async function summariesOf(
  themes: readonly Theme[],
  chunks: readonly GemNode[],
  models: Models,
  { summaryTokens }: GemOptions,
): Promise<readonly Pick<GemNode, 'kind' | 'text' | 'from' | 'theme'>[]> {
  const summaries = await Promise.all(
    themes.map(({ members }) => {
      const texts = [...members].sort((a, b) => a - b).flatMap((member) => chunks[member]?.text ?? [])
      return attempt(models, summarise, { texts, tokens: summaryTokens })
    }),
  )
  return themes.flatMap((theme, index) => {
    const text = summaries[index] ?? ''
    if (text instanceof ModelError) return []
    const from = theme.members.flatMap((member) => chunks[member]?.from ?? [])
    return [{ kind: 'summary', text, from, theme: { number: index + 1, ...theme } }]
  })
}
