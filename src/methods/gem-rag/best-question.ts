import type { GemNode, UtilityQuestion, Vector } from './node.ts'

/** Whether a prompt is matched with the mean of a question and its node (Algorithm 1), or with the question alone. */
export type Form = 'averaged' | 'raw'

/** A node's question that is most similar to the prompt, averaged with the node's vector or raw; a node without questions is matched itself. */
export function bestQuestion(
  { questions, vector }: Pick<GemNode, 'questions' | 'vector'>,
  prompt: Vector,
  form: Form,
): { readonly similarity: number; readonly question: UtilityQuestion | undefined } {
  let found: { similarity: number; question: UtilityQuestion | undefined } | undefined
  for (const question of questions) {
    const similarity = cosineOf(prompt, question.raw, form === 'averaged' ? vector : question.raw)
    if (!found || similarity > found.similarity) found = { similarity, question }
  }
  return found ?? { similarity: cosineOf(prompt, vector, vector), question: undefined }
}

/** The cosine of a with (b + c)/2, which is not stored: it would take twice the memory of the embeddings. */
function cosineOf(a: Vector, b: Vector, c: Vector): number {
  let product = 0
  let aa = 0
  let bb = 0
  for (let i = 0; i < a.length; i++) {
    const x = a[i] ?? 0
    const y = ((b[i] ?? 0) + (c[i] ?? 0)) / 2
    product += x * y
    aa += x * x
    bb += y * y
  }
  return aa === 0 || bb === 0 ? 0 : product / Math.sqrt(aa * bb)
}
