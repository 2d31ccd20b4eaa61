import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { messageOf, UserError } from '../../src/errors.ts'

/** One input and what a reference implementation made of it; `tol` is absolute, for every number in `expected`. */
export type Case = z.infer<typeof caseSchema>

const caseSchema = z.object({
  id: z.string(),
  metric: z.string(),
  input: z.unknown(),
  expected: z.unknown(),
  tol: z.number().nonnegative().default(1e-12),
})

/** A file of golden vectors: a list of cases, or the one GEM construction. */
export type Vectors =
  { readonly format: 'cases'; readonly cases: readonly Case[] } | { readonly format: 'gem'; readonly content: unknown }

/** Reads a file of vectors. Throws UserError naming the file when it is missing, no JSON, or of another format. */
export function readVectors(file: string): Vectors {
  const content = parsed(file)
  const cases = z.object({ cases: z.array(caseSchema) }).safeParse(content)
  if (cases.success) return { format: 'cases', cases: cases.data.cases }
  if (z.object({ chunkEmbeddings: z.unknown(), variants: z.unknown() }).safeParse(content).success) {
    return { format: 'gem', content }
  }
  const [issue] = cases.error.issues
  throw new UserError(`${file}: not a file of vectors (${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''})`)
}

function parsed(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''))
  } catch (error) {
    throw new UserError(`${file}: cannot be read (${messageOf(error)})`)
  }
}
