import type { Chunk } from '../../types.ts'

// Orders that hold however the corpus was shuffled: a tree must not depend on the order of its chunks.

/** Chunks as they are read: documents by the bytes of their ids, each in the order of its text. */
export const inReadingOrder = (chunks: readonly Chunk[]): readonly Chunk[] =>
  chunks.toSorted((a, b) => byBytes(a.documentId, b.documentId) || a.start - b.start || a.end - b.end)

/** Things by the bytes of their vectors, then of their texts: those that are equal in both cannot be told apart. */
export const byContent = <T extends { readonly vector: Float32Array; readonly text: string }>(
  things: readonly T[],
): readonly T[] =>
  things.toSorted((a, b) => Buffer.compare(bytesOf(a.vector), bytesOf(b.vector)) || byBytes(a.text, b.text))

const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)
