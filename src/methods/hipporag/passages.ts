import type { Chunk } from '../../types.ts'

/** A text of the corpus, and the ids of all chunks that read so. */
export interface Source {
  readonly text: string
  readonly chunks: readonly string[]
}

/** Each text once, in order (HippoRAG names a passage by the hash of its text). */
export function distinctPassages(chunks: readonly Chunk[]): readonly Source[] {
  const byText = new Map<string, string[]>()
  for (const { id, text } of chunks) {
    const known = byText.get(text)
    if (known) known.push(id)
    else byText.set(text, [id])
  }
  return Array.from(byText, ([text, chunks]) => ({ text, chunks }))
}
