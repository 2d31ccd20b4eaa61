import { ModelError } from '../../errors.ts'
import { utilityQuestions } from '../../tasks/utility-questions.ts'
import type { Models } from '../../types.ts'

export type Vector = ArrayLike<number>

/** A utility question of a node. */
export interface UtilityQuestion {
  readonly text: string
  /** E(q). */
  readonly raw: Vector
  /** v_q = (E(q) + v)/2, with v the embedding of the node that was asked. */
  readonly averaged: Vector
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

/** Tags texts with m utility questions each (one call a text; none for m = 0) and embeds both. Questions are embedded as queries, for prompts are matched with them. */
export async function tagged(texts: readonly Text[], m: number, models: Models): Promise<readonly GemNode[]> {
  if (texts.length === 0) return []
  const asked = await Promise.all(texts.map(({ text }) => questionsOf(text, m, models)))
  const vectors = await models.embed(
    texts.map(({ text }) => text),
    'document',
  )
  const all = asked.flat()
  const embedded = all.length > 0 ? await models.embed(all, 'query') : []
  let next = 0
  return texts.map((text, index) => {
    const vector = vectors[index] ?? []
    const questions = (asked[index] ?? []).map((question): UtilityQuestion => {
      const raw = embedded[next++] ?? []
      return { text: question, raw, averaged: averaged(raw, vector) }
    })
    return { ...text, vector, questions }
  })
}

/** (E(q) + v)/2; both are unit vectors, or the longer would dominate. */
export const averaged = (question: Vector, node: Vector): Float64Array =>
  Float64Array.from({ length: node.length }, (_, i) => ((question[i] ?? 0) + (node[i] ?? 0)) / 2)

/** At most m different questions. A model that gives fewer is taken at its word: the same prompt again would give the same; one whose reply cannot be read gives none. */
async function questionsOf(text: string, m: number, models: Models): Promise<readonly string[]> {
  if (m === 0 || text.trim() === '') return []
  try {
    const questions = await models.run(utilityQuestions, { text, count: m })
    return [...new Set(questions.map((question) => question.trim()))].filter(Boolean).slice(0, m)
  } catch (error) {
    if (error instanceof ModelError && error.kind === 'reply') return []
    throw error
  }
}
