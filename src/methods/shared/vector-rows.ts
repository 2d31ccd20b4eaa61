import { closeSync, ftruncateSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newScreen } from '../../math/screen.ts'
import type { ScoredIndex } from '../../math/highest.ts'
import { dot, type Matrix, rowsToMatrix, topKByScreen, topK } from '../../math/vectors.ts'
import type { Models } from '../../types.ts'
import { documentVectors, unequalLengths, vectorParts } from './embed.ts'

/** The vectors of texts, searched by inner product. */
export interface VectorRows {
  readonly rows: number
  readonly columns: number
  /** The `k` rows nearest to a vector of as many numbers, best first, equal scores by lower index. */
  search(query: Float32Array, k: number): Promise<readonly ScoredIndex[]>
  readonly close?: () => Promise<void>
}

/** Maximum bytes of vectors in memory. */
const memoryBytes = 2 ** 29

/**
 * Embeds texts as documents. Vectors of more than 512 MB are in a temporary file, with 8 bits of each number in memory:
 * a query reads only the rows that could be among the best, and its scores are exact.
 */
export async function vectorRows(texts: readonly string[], models: Models, limit = memoryBytes): Promise<VectorRows> {
  if (texts.length * minColumns * 4 > limit) return rowsInFile(texts, models)
  const matrix = await documentVectors(texts, models)
  const { rows, columns } = matrix
  return { rows, columns, search: async (query, k) => topK(query, matrix, k) }
}

/** A low estimate of the dimension, which is unknown before the first call. */
const minColumns = 256

async function rowsInFile(texts: readonly string[], models: Models): Promise<VectorRows> {
  let screening: ReturnType<typeof newScreen> | undefined
  const file = await embedIntoFile(texts, models, (part) => {
    screening ??= newScreen(texts.length, part.columns)
    screening.add(part.data)
  })
  const screen = screening?.finish()
  if (!screen) {
    file.close()
    throw new Error('a vector of the embedding model holds a number that is not finite')
  }
  const { rows, columns } = file
  const row = new Float32Array(columns)
  const productWith = (query: Float32Array, at: number): number => {
    file.read(row, 4 * columns * at)
    return dot(query, row)
  }
  return {
    rows,
    columns,
    search: async (query, k) => topKByScreen([query], screen, k, productWith)[0] ?? [],
    close: async () => file.close(),
  }
}

/** Embeds texts as documents into a temporary file, row after row; `onPart` sees the vectors of each call. */
export async function embedIntoFile(texts: readonly string[], models: Models, onPart: (part: Matrix) => void) {
  const file = temporaryFile()
  let rows = 0
  let columns = 0
  try {
    for await (const vectors of vectorParts(texts, models)) {
      const part = rowsToMatrix(vectors)
      if (rows === 0) columns = part.columns
      if (part.columns !== columns) throw unequalLengths(part.columns, columns)
      onPart(part)
      file.write(part.data, 4 * columns * rows)
      rows += part.rows
    }
  } catch (error) {
    file.close()
    throw error
  }
  return { ...file, rows, columns }
}

/** A temporary file, unlinked at once where the system allows it, so that it disappears with the process. */
function temporaryFile() {
  const folder = mkdtempSync(join(tmpdir(), 'gembench-vectors-'))
  const descriptor = openSync(join(folder, 'rows'), 'w+')
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  if (process.platform !== 'win32') remove()
  return {
    write(part: Float32Array, at: number): void {
      const bytes = new Uint8Array(part.buffer)
      for (let offset = 0; offset < bytes.length;)
        offset += writeSync(descriptor, bytes, offset, bytes.length - offset, at + offset)
    },
    read(into: Float32Array, at: number): void {
      const read = readSync(descriptor, into, 0, into.byteLength, at)
      if (read < into.byteLength) throw new Error(`only ${read} of ${into.byteLength} bytes of a vector could be read`)
    },
    close(): void {
      ftruncateSync(descriptor)
      closeSync(descriptor)
      remove()
    },
  }
}
