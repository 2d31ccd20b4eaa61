import { itemAt } from '../../basics/collections.ts'
import { ModelError } from '../../errors.ts'
import { similarityFactors, type Factors } from '../../math/spectrum/factors.ts'
import { fewNodes } from '../../math/spectrum/weights.ts'
import { groundingOf } from '../../tasks/grounding.ts'
import { summarise, utilityQuestions } from '../../tasks/pieces.ts'
import type { Chunk, Models } from '../../types.ts'
import { attempt } from '../shared/attempt.ts'
import { cutSummary } from '../shared/longest-start.ts'
import { summaryTokens, type GemOptions } from './options.ts'
import { clusterThemes, eigenthemes, spectrumOf, type Spectrum, type Theme, type Vector } from './themes.ts'

/** A graphical eigen memory: the chunks of a document with their utility questions, and its themes' summaries. */
export interface Memory {
  /** Chunks first, in order, then summaries in the order of their themes. */
  readonly nodes: readonly GemNode[]
  /** That of the chunks alone, before summaries; only where themes are made of it, or the graph is small. */
  readonly spectrum: Spectrum | undefined
  /** Of the k components, those that made a theme. */
  readonly components: number
  /** Themes whose summary could not be read or was refused: they have no node. */
  readonly unreadSummaries: number
  /** Summaries that were longer than `summaryTokens` and were cut there. */
  readonly cutSummaries: number
}

/** The seed that a run with the default seed begins with. */
const usualSeed = 42

/** Builds the memory of one document, step by step as the paper does (section III). */
export async function remember(chunks: readonly Chunk[], models: Models, options: GemOptions): Promise<Memory> {
  const seed = () => models.seed(usualSeed)

  // utility questions: what can each chunk be asked?
  const chunkNodes = await tagged(
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

  // summary nodes: each theme in a few words, tagged with questions of its own and tied to every node
  const summaries = await summariesOf(themes, chunkNodes, models)
  const summaryNodes = await tagged(
    summaries.map(({ node }) => node),
    options,
    models,
  )
  return {
    nodes: [...chunkNodes, ...summaryNodes],
    spectrum,
    components: themes.length,
    unreadSummaries: themes.length - summaries.length,
    cutSummaries: summaries.filter(({ cut }) => cut).length,
  }
}

/** S = A Bᵀ of all nodes of a memory; a node without questions is its own single question. */
export const factorsOf = (nodes: readonly GemNode[]): Factors =>
  similarityFactors(
    nodes.map(({ questions, vector }) => questions.map(({ asDocument }) => averaged(asDocument, vector))),
    nodes.map(({ vector }) => vector),
  )

/** One summary of every theme's chunks, in document order, no longer than asked for; none where the reply failed. */
async function summariesOf(themes: readonly Theme[], chunks: readonly GemNode[], models: Models) {
  const replies = await Promise.all(
    themes.map(({ members }) => {
      const texts = [...members].sort((a, b) => a - b).flatMap((member) => chunks[member]?.text ?? [])
      return attempt(models, summarise, { texts, tokens: summaryTokens })
    }),
  )
  return themes.flatMap((theme, index) => {
    const reply = itemAt(replies, index)
    if (reply instanceof ModelError) return []
    const { text, cut } = cutSummary(reply, summaryTokens, (words) => models.countTokens(words))
    const from = theme.members.flatMap((member) => chunks[member]?.from ?? [])
    const node: Text = { kind: 'summary', text, from, theme: { number: index + 1, ...theme } }
    return [{ node, cut }]
  })
}

/** A utility question of a node. */
export interface UtilityQuestion {
  readonly text: string
  /** E(q) as a query, for prompts are matched with it. */
  readonly raw: Vector
  /** E(q) as a document, for the edges; the same vector where the embedder knows no roles. */
  readonly asDocument: Vector
}

/** A node of the memory graph: a chunk, or the summary of a theme. */
export interface GemNode {
  readonly kind: 'chunk' | 'summary'
  readonly text: string
  /** Ids of the chunks it stands for. */
  readonly from: readonly string[]
  /** v = E(text). */
  readonly vector: Vector
  readonly questions: readonly UtilityQuestion[]
  /** Why it has no questions, where the reply was of no use. */
  readonly lost?: ModelError
  /** Questions left out because they repeat the example of the prompt. */
  readonly echoes: number
  /** Of a summary: the number of its theme, its eigenvalue (null for a cluster), and its members with their entries. */
  readonly theme?: Theme & { readonly number: number }
}

type Text = Pick<GemNode, 'kind' | 'text' | 'from' | 'theme'>

type QuestionOptions = Pick<GemOptions, 'questions' | 'questionPool'>

/** Tags texts with m utility questions each (one call a text; none for m = 0) and embeds both. */
export async function tagged(
  texts: readonly Text[],
  options: QuestionOptions,
  models: Models,
): Promise<readonly GemNode[]> {
  if (texts.length === 0) return []
  const replies = await Promise.all(texts.map(({ text }) => questionsOf(text, options, models)))
  const { vectors, asQueries, asDocuments } = await embedded(
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
        const [raw, asDocument] = [itemAt(asQueries, next), itemAt(asDocuments, next)]
        next++
        return { text: question, raw, asDocument }
      }),
    }
  })
}

/** v_q = (E(q) + v)/2 of a question and its node; both are unit vectors, or the longer would dominate. */
export const averaged = (question: Vector, node: Vector): Float64Array =>
  Float64Array.from({ length: node.length }, (_, i) => (itemAt(question, i) + itemAt(node, i)) / 2)

/** At most m different questions, the first of the pool, or why there are none; fewer are not asked for again. */
async function questionsOf(
  text: string,
  { questions: m, questionPool: pool }: QuestionOptions,
  models: Models,
): Promise<Pick<GemNode, 'lost' | 'echoes'> & { readonly questions: readonly string[] }> {
  if (m === 0 || text.trim() === '') return { questions: [], echoes: 0 }
  const count = typeof pool === 'number' ? Math.max(m, pool) : m
  const reply = await attempt(models, utilityQuestions, { text, count })
  if (reply instanceof ModelError) return { questions: [], echoes: 0, lost: reply }
  // a question is no name of the text: only those of the example are left out
  const retained = groundingOf('count').on(text)(utilityQuestions, reply, (question) => ({ statements: [question] }))
  const distinct = new Set(retained.map((question) => question.trim()))
  return { questions: [...distinct].filter(Boolean).slice(0, m), echoes: reply.length - retained.length }
}

/**
 * Texts as documents; questions as queries and, for the edges, as documents (our reading). The first question is
 * embedded in both roles: where its vectors are alike, so are those of all others, and they are not asked for twice.
 */
async function embedded(texts: readonly string[], questions: readonly string[], models: Models) {
  const vectors = await models.embed([...texts, ...questions.slice(0, 1)], 'document')
  const asQueries = questions.length > 0 ? await models.embed(questions, 'query') : []
  const asDocuments = areAlike(vectors[texts.length] ?? [], asQueries[0] ?? [])
    ? asQueries
    : await models.embed(questions, 'document')
  return { vectors, asQueries, asDocuments }
}

/** Whether unit vectors have a cosine above 0.999: other last digits pass, another prefix does not. */
function areAlike(a: Vector, b: Vector): boolean {
  let squares = 0
  for (let i = 0; i < a.length; i++) squares += (itemAt(a, i) - itemAt(b, i)) ** 2
  return squares < 2 * (1 - 0.999)
}
