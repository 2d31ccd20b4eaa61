import { ModelError } from '../../errors.ts'
import { utilityQuestions } from '../../tasks/utility-questions.ts'
import type { Models } from '../../types.ts'
import { attempt } from '../shared/attempt.ts'

export type Vector = ArrayLike<number>

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
  /** Of a summary: the number of its theme, its eigenvalue (null for a cluster), and its members with their entries. */
  readonly theme?: ThemeMark
}

export interface ThemeMark {
  readonly number: number
  readonly eigenvalue: number | null
  readonly members: readonly number[]
  readonly weights: readonly number[]
}

type Text = Pick<GemNode, 'kind' | 'text' | 'from' | 'theme'>

/** Tags texts with m utility questions each (one call a text; none for m = 0) and embeds both. */
export async function tagged(texts: readonly Text[], m: number, models: Models): Promise<readonly GemNode[]> {
  if (texts.length === 0) return []
  const asked = await Promise.all(texts.map(({ text }) => questionsOf(text, m, models)))
  const { vectors, asQueries, asDocuments } = await embedded(
    texts.map(({ text }) => text),
    asked.flatMap((outcome) => (outcome instanceof ModelError ? [] : outcome)),
    models,
  )
  let next = 0
  return texts.map((text, index) => {
    const outcome = asked[index] ?? []
    const node = { ...text, vector: vectors[index] ?? [] }
    if (outcome instanceof ModelError) return { ...node, questions: [], lost: outcome }
    const questions = outcome.map((question): UtilityQuestion => {
      const [raw = [], asDocument = raw] = [asQueries[next], asDocuments[next]]
      next++
      return { text: question, raw, asDocument }
    })
    return { ...node, questions }
  })
}

/** v_q = (E(q) + v)/2 of a question and its node; both are unit vectors, or the longer would dominate. */
export const averaged = (question: Vector, node: Vector): Float64Array =>
  Float64Array.from({ length: node.length }, (_, i) => ((question[i] ?? 0) + (node[i] ?? 0)) / 2)

/** At most m different questions, or why there are none. A model that gives fewer is taken at its word: the same prompt again would give the same. */
async function questionsOf(text: string, m: number, models: Models): Promise<readonly string[] | ModelError> {
  if (m === 0 || text.trim() === '') return []
  const questions = await attempt(models, utilityQuestions, { text, count: m })
  if (questions instanceof ModelError) return questions
  return [...new Set(questions.map((question) => question.trim()))].filter(Boolean).slice(0, m)
}

/**
 * Texts as documents; questions as queries and, for the edges, as documents (our reading). The first question is embedded in both roles:
 * where its vectors are alike, so are those of all others, and they are not asked for twice.
 */
async function embedded(texts: readonly string[], questions: readonly string[], models: Models) {
  const vectors = await models.embed([...texts, ...questions.slice(0, 1)], 'document')
  const asQueries = questions.length > 0 ? await models.embed(questions, 'query') : []
  const asDocuments = areAlike(vectors[texts.length] ?? [], asQueries[0] ?? [])
    ? asQueries
    : await models.embed(questions, 'document')
  return { vectors, asQueries, asDocuments }
}

/** Whether two unit vectors have a cosine above 0.999: a server may give the same text other last digits, a prefix changes more. */
function areAlike(a: Vector, b: Vector): boolean {
  let squares = 0
  for (let i = 0; i < a.length; i++) squares += ((a[i] ?? 0) - (b[i] ?? 0)) ** 2
  return squares < 2 * (1 - 0.999)
}
