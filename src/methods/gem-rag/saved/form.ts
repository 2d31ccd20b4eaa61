import { z } from 'zod'
import { listOf } from '../../../text/shape-faults.ts'
import { gemOptions } from '../options.ts'

const count = z.int().min(0)
const number = z.number()
const questions = listOf(z.string()).describe('utility questions')

/** A summary node. `members` are chunk nodes of the same memory, counted from 0, strongest first, with their entries in the eigenvector. */
const summary = z.object({
  text: z.string(),
  questions,
  theme: z.object({
    number: z.int().min(1),
    eigenvalue: number.nullable(),
    members: listOf(count),
    weights: listOf(number),
  }),
})

/**
 * The spectrum of the chunk nodes. `degrees` are the row sums of W, a 64-bit number a node. `eigenvectors` are unit vectors, 64-bit numbers,
 * one vector after the other in the order of `eigenvalues`; `values` are the eigenvalues that Remark 2 reads.
 */
const spectrum = z.object({
  form: z.enum(['stored', 'implicit', 'corrected', 'unclamped']),
  degrees: z.string(),
  trace: number,
  Lambda: number,
  asymmetryMax: number.nullable(),
  negativeShare: number.nullable(),
  eigenvalues: listOf(number),
  eigenvectors: z.string(),
  residuals: listOf(number),
  values: listOf(number),
  solver: z.enum(['dense', 'iterative']),
  iterations: count,
  converged: z.boolean(),
})

/**
 * One memory. Its nodes are `chunks`, each the place of a chunk in the file's list from 0, and then `summaries`. `vectors` are those of the
 * nodes in this order, `questionVectors` those of their questions, node by node; `questionVectorsAsDocuments` is there where the embedder
 * tells queries from documents. Vectors are 32-bit numbers. `edges` are the strongest 8 of every node; the graph is
 * complete, and this and every other weight W follows from the vectors and the options: S_ij is the sum, over the questions q of i, of the
 * cosine of (q + v_i) / 2 with v_j, and W_ij joins S_ij and S_ji.
 */
const memory = z.object({
  chunks: listOf(z.object({ chunk: count, questions })),
  summaries: listOf(summary),
  vectors: z.string(),
  questionVectors: z.string(),
  questionVectorsAsDocuments: z.string().optional(),
  edges: listOf(z.object({ from: count, to: count, weight: number })),
  spectrum: spectrum.nullable(),
  components: count,
  unreadSummaries: count,
  cutSummaries: count,
})

/** GEM-RAG's part of a saved index: the graph memories of a corpus. Numbers in strings are base64 of little-endian bytes (`numbers.ts`). */
export const savedGemForm = z.object({ options: gemOptions, dimensions: count, memories: listOf(memory) })

export type SavedGem = z.output<typeof savedGemForm>
export type SavedMemory = z.output<typeof memory>
