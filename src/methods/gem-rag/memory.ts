import { ModelError } from '../../errors.ts'
import { similarityFactors, type Factors } from '../../math/spectrum/factors.ts'
import { fewNodes } from '../../math/spectrum/weights.ts'
import { summarise } from '../../tasks/summarise.ts'
import type { Chunk, Models } from '../../types.ts'
import { attempt } from '../shared/attempt.ts'
import { cutSummary } from '../shared/longest-start.ts'
import { averaged, tagged, type GemNode } from './node.ts'
import { usualSeed, type GemOptions } from './options.ts'
import { spectrumOf, type Spectrum } from './spectrum.ts'
import { clusterThemes, eigenthemes, type Theme } from './themes.ts'

/** A graphical eigen memory: the chunks of a document with their utility questions, and the summaries of its themes. Plain data: its weights follow from the vectors (`factorsOf`). */
export interface Memory {
  /** Chunks first, in order, then summaries in the order of their themes. */
  readonly nodes: readonly GemNode[]
  /** That of the chunks alone: summaries do not enter the decomposition, which comes before them. Only where themes are made of it, or the graph is small. */
  readonly spectrum: Spectrum | undefined
  /** Of the k components, those that made a theme. */
  readonly components: number
  /** Themes whose summary could not be read or was refused: they have no node. */
  readonly unreadSummaries: number
  /** Summaries that were longer than `summaryTokens` and were cut there. */
  readonly cutSummaries: number
}

/** The memories of a corpus, from which everything else follows: one a document, or one for all. Plain data. */
export interface Gem {
  readonly options: GemOptions
  readonly chunks: readonly Chunk[]
  readonly memories: readonly Memory[]
}

/** Builds the memory of one document, step by step as the paper does (section III). */
export async function remember(chunks: readonly Chunk[], models: Models, options: GemOptions): Promise<Memory> {
  const seed = () => models.seed(usualSeed)

  // utility questions: what can each chunk be asked?
  const chunkNodes = await tagged(
    chunks.map(({ text, id }) => ({ kind: 'chunk', text, from: [id] })),
    options.questions,
    models,
  )

  // similarity graph: S_ij = sum of cos(v_iq, v_j) over the questions q of i; W its symmetric part; L = D^-1/2 W D^-1/2
  const spectral = options.clustering === 'spectral' && options.components > 0
  const spectrum = spectral || chunks.length <= fewNodes ? spectrumOf(factorsOf(chunkNodes), options, seed) : undefined

  // eigenthemes: the heaviest chunks of the leading eigenvectors
  const themes =
    spectral && spectrum
      ? eigenthemes(spectrum, options)
      : clusterThemes(
          chunkNodes.map(({ vector }) => vector),
          options,
          seed,
        )

  // summary nodes: each theme in a few words, tagged with questions of its own and tied to every node
  const summaries = await summariesOf(themes.flat(), chunkNodes, models, options)
  const summaryNodes = await tagged(
    summaries.map(({ node }) => node),
    options.questions,
    models,
  )
  return {
    nodes: [...chunkNodes, ...summaryNodes],
    spectrum,
    components: themes.filter((ofOne) => ofOne.length > 0).length,
    unreadSummaries: themes.flat().length - summaries.length,
    cutSummaries: summaries.filter(({ cut }) => cut).length,
  }
}

/** S = A Bᵀ; a node without questions is its own single question. Of all nodes of a memory: every summary has edges both ways with every node. */
export const factorsOf = (nodes: readonly GemNode[]): Factors =>
  similarityFactors(
    nodes.map(({ questions, vector }) => questions.map(({ asDocument }) => averaged(asDocument, vector))),
    nodes.map(({ vector }) => vector),
  )

/** One summary of every theme's chunks, in document order, no longer than asked for; none where the reply was of no use. */
async function summariesOf(
  themes: readonly Theme[],
  chunks: readonly GemNode[],
  models: Models,
  { summaryTokens }: GemOptions,
): Promise<readonly SummaryOfTheme[]> {
  const replies = await Promise.all(
    themes.map(({ members }) => {
      const texts = [...members].sort((a, b) => a - b).flatMap((member) => chunks[member]?.text ?? [])
      return attempt(models, summarise, { texts, tokens: summaryTokens })
    }),
  )
  return themes.flatMap((theme, index) => {
    const reply = replies[index] ?? ''
    if (reply instanceof ModelError) return []
    const { text, cut } = cutSummary(reply, summaryTokens, (words) => models.countTokens(words))
    const from = theme.members.flatMap((member) => chunks[member]?.from ?? [])
    return [{ node: { kind: 'summary', text, from, theme: { number: index + 1, ...theme } }, cut }]
  })
}

interface SummaryOfTheme {
  readonly node: Pick<GemNode, 'kind' | 'text' | 'from' | 'theme'>
  readonly cut: boolean
}
