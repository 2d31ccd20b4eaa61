import { similarityFactors, type Factors } from '../../math/spectrum/factors.ts'
import { graphOperator, type GraphOperator } from '../../math/spectrum/graph-operator.ts'
import type { Eigenpairs } from '../../math/spectrum/leading-eigenpairs.ts'
import { summarise } from '../../tasks/summarise.ts'
import type { Chunk, Models } from '../../types.ts'
import { tagged, type GemNode } from './node.ts'
import type { GemOptions } from './options.ts'
import { clusterThemes, eigenthemes, type Theme } from './themes.ts'

/** A graphical eigen memory: the chunks of a document with their utility questions, and the summaries of its themes. */
export interface Memory {
  /** Chunks first, in order, then summaries in the order of their themes. */
  readonly nodes: readonly GemNode[]
  /** S of all nodes, summaries included, as factors: every summary has edges both ways with every node. */
  readonly factors: Factors
  /** L of the chunks alone: summaries do not enter the decomposition, which comes before them. */
  readonly operator: GraphOperator
  readonly pairs: Eigenpairs
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
  const operator = graphOperator(factorsOf(chunkNodes), options)

  // eigenthemes: the heaviest chunks of the leading eigenvectors
  const { themes: spectral, pairs } = eigenthemes(operator, options)
  const themes =
    options.clustering === 'spectral'
      ? spectral
      : clusterThemes(
          chunkNodes.map(({ vector }) => vector),
          options,
        )

  // summary nodes: each theme in a few words, tagged with questions of its own and tied to every node
  const summaries = await Promise.all(themes.map((theme) => summaryOf(theme, chunkNodes, models, options)))
  const summaryNodes = await tagged(
    summaries.map((text, index) => {
      const { members = [], weights = [], eigenvalue = null } = themes[index] ?? {}
      const from = members.flatMap((member) => chunkNodes[member]?.from ?? [])
      return { kind: 'summary', text, from, theme: { number: index + 1, eigenvalue, members, weights } }
    }),
    options.questions,
    models,
  )
  const nodes = [...chunkNodes, ...summaryNodes]
  return { nodes, factors: factorsOf(nodes), operator, pairs }
}

/** S = A Bᵀ; a node without questions is its own single question. */
const factorsOf = (nodes: readonly GemNode[]): Factors =>
  similarityFactors(
    nodes.map(({ questions }) => questions.map(({ averaged }) => averaged)),
    nodes.map(({ vector }) => vector),
  )

/** One summary of a theme's chunks, in document order. */
function summaryOf(
  { members }: Theme,
  chunks: readonly GemNode[],
  models: Models,
  { summaryTokens }: GemOptions,
): Promise<string> {
  const texts = [...members].sort((a, b) => a - b).flatMap((member) => chunks[member]?.text ?? [])
  return models.run(summarise, { texts, tokens: summaryTokens })
}
