import { itemAt } from '../../basics/collections.ts'
import { ModelError } from '../../errors.ts'
import { similarityFactors, type Factors } from '../../math/spectrum/factors.ts'
import { fewNodes } from '../../math/spectrum/weights.ts'
import { groundingOf } from '../../tasks/grounding.ts'
import { summarise, utilityQuestions } from '../../tasks/pieces.ts'
import type { Chunk, Models } from '../../types.ts'
import { attempt } from '../shared/attempt.ts'
import { cosine } from '../../math/vectors.ts'
import { cutSummary } from '../shared/longest-start.ts'
import { summaryTokens, type GemOptions } from './options.ts'
import { clusterThemes, eigenthemes, spectrumOf, type Theme, type Vector } from './themes.ts'

/** A graphical eigen memory: chunks with utility questions, and the summaries of its themes. */
export type Memory = Awaited<ReturnType<typeof remember>>

const usualSeed = 42

/** Builds the memory of one document in the paper's order (section III). */
export async function remember(chunks: readonly Chunk[], models: Models, options: GemOptions) {
  const seed = () => models.seed(usualSeed)

  // utility questions of each chunk
  const chunkNodes = await tagWithQuestions(
    chunks.map(({ text, id }) => ({ kind: 'chunk', text, from: [id] })),
    options,
    models,
  )

  // similarity graph: S_ij = sum of cos(v_iq, v_j) over the questions q of i; W its symmetric part; L = D^-1/2 W D^-1/2
  const spectral = options.clustering === 'spectral' && options.components !== 0
  const spectrum = spectral || chunks.length <= fewNodes ? spectrumOf(factorsOf(chunkNodes), options, seed) : undefined

  // eigenthemes: the heaviest chunks of the leading eigenvectors
  const themes =
    spectral && spectrum
      ? eigenthemes(spectrum, options.components)
      : clusterThemes(
          chunkNodes.map(({ vector }) => vector),
          options.components,
          seed,
        )

  // summary nodes, tagged with utility questions too and connected with every node
  const summaries = await summariesOf(themes, chunkNodes, models)
  const summaryNodes = await tagWithQuestions(
    summaries.map(({ node }) => node),
    options,
    models,
  )
  return {
    nodes: [...chunkNodes, ...summaryNodes],
    // of the chunks, for spectral themes, or if the graph is small
    spectrum,
    components: themes.length,
    unreadSummaries: themes.length - summaries.length,
    cutSummaries: summaries.filter(({ cut }) => cut).length,
  }
}

/** S = A Bᵀ of all nodes of a memory; the text of a node without questions is its single question. */
export function factorsOf(nodes: readonly GemNode[]): Factors {
  const questionVectors = nodes.map(({ questions, vector }) =>
    questions.map(({ asDocument }) => averageVectors(asDocument, vector)),
  )
  const chunkVectors = nodes.map(({ vector }) => vector)
  return similarityFactors(questionVectors, chunkVectors)
}

async function summariesOf(themes: readonly Theme[], chunks: readonly GemNode[], models: Models) {
  const replies = await Promise.all(
    themes.map(({ members }) => {
      const places = [...members].sort((a, b) => a - b)
      const texts = places.flatMap((place) => chunks[place]?.text ?? [])
      return attempt(models, summarise, { texts, tokens: summaryTokens })
    }),
  )
  return themes.flatMap((theme, index) => {
    const reply = itemAt(replies, index)
    if (reply instanceof ModelError) return []
    const { text, cut } = cutSummary(reply, summaryTokens, models.countTokens)
    const from = theme.members.flatMap((member) => chunks[member]?.from ?? [])
    const node: Text = { kind: 'summary', text, from, theme: { number: index + 1, ...theme } }
    return [{ node, cut }]
  })
}

/** A utility question of a node. */
export interface UtilityQuestion {
  readonly text: string
  /** E(q) as a query, to match prompts. */
  readonly raw: Vector
  /** E(q) as a document, for edges; the same vector if the embedder has no roles. */
  readonly asDocument: Vector
}

/** A node of the memory graph: a chunk, or the summary of a theme. */
export interface GemNode {
  readonly kind: 'chunk' | 'summary'
  readonly text: string
  /** Ids of its chunks. */
  readonly from: readonly string[]
  /** v = E(text). */
  readonly vector: Vector
  readonly questions: readonly UtilityQuestion[]
  /** The error of a lost reply: the node has no questions. */
  readonly questionError?: ModelError
  /** Number of dropped questions, which repeat the prompt's example. */
  readonly echoes: number
  /** The theme of a summary; its eigenvalue is null for a cluster. */
  readonly theme?: Theme & { readonly number: number }
}

type Text = Pick<GemNode, 'kind' | 'text' | 'from' | 'theme'>

type QuestionOptions = Pick<GemOptions, 'questions' | 'questionPool'>

/** Tags texts with m utility questions each (one call per text; none for m = 0) and embeds both. */
export async function tagWithQuestions(
  texts: readonly Text[],
  options: QuestionOptions,
  models: Models,
): Promise<readonly GemNode[]> {
  if (texts.length === 0) return []
  const replies = await Promise.all(texts.map(({ text }) => questionsOf(text, options, models)))
  const { vectors, asQueries, asDocuments } = await embedInRoles(
    texts.map(({ text }) => text),
    replies.flatMap(({ questions }) => questions),
    models,
  )
  let next = 0
  return texts.map((text, index) => {
    const { questions, ...reply } = itemAt(replies, index)
    return {
      ...text,
      ...reply,
      vector: itemAt(vectors, index),
      questions: questions.map((question): UtilityQuestion => {
        const raw = itemAt(asQueries, next)
        const asDocument = itemAt(asDocuments, next)
        next++
        return { text: question, raw, asDocument }
      }),
    }
  })
}

/** v_q = (E(q) + v)/2 of a question and its node; unit vectors, so that neither dominates. */
export const averageVectors = (question: Vector, node: Vector): Float64Array =>
  Float64Array.from({ length: node.length }, (_, i) => (itemAt(question, i) + itemAt(node, i)) / 2)

/** The first m distinct questions of the pool, or an error; fewer are not requested again. */
async function questionsOf(
  text: string,
  { questions: m, questionPool: pool }: QuestionOptions,
  models: Models,
): Promise<Pick<GemNode, 'questionError' | 'echoes'> & { readonly questions: readonly string[] }> {
  if (m === 0 || text.trim() === '') return { questions: [], echoes: 0 }
  const count = typeof pool === 'number' ? Math.max(m, pool) : m
  const reply = await attempt(models, utilityQuestions, { text, count })
  if (reply instanceof ModelError) return { questions: [], echoes: 0, questionError: reply }
  // questions need not occur in the text: only copies of the prompt's example are dropped
  const retainedQuestions = groundingOf('count').on(text)(utilityQuestions, reply, (question) => ({
    statements: [question],
  }))
  const distinct = new Set(retainedQuestions.map((question) => question.trim()))
  return { questions: [...distinct].filter(Boolean).slice(0, m), echoes: reply.length - retainedQuestions.length }
}

/**
 * Embeds texts as documents; questions as queries and, for edges, as documents (our reading), unless the vectors of the
 * first question agree in both roles.
 */
async function embedInRoles(texts: readonly string[], questions: readonly string[], models: Models) {
  const vectors = await models.embed([...texts, ...questions.slice(0, 1)], 'document')
  if (questions.length === 0) return { vectors, asQueries: [], asDocuments: [] }
  const asQueries = await models.embed(questions, 'query')
  const hasRoles = cosine(itemAt(vectors, texts.length), itemAt(asQueries, 0)) < 0.999
  return { vectors, asQueries, asDocuments: hasRoles ? await models.embed(questions, 'document') : asQueries }
}
