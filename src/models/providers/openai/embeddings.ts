import { z } from 'zod'
import type { EmbedRole } from '../../../types.ts'
import { CallError } from '../../calls/retry.ts'
import type { Embeddings } from '../../provider.ts'
import { translate } from './error.ts'
import type { OpenaiOptions } from './options.ts'
import type { Post } from './post.ts'
import { checked, count } from './reply.ts'

/** Embeddings of texts, of length one. */
export function embeddings(post: Post, options: OpenaiOptions) {
  const { model, dimensions, encodingFormat, body } = options
  const prefixes = { query: options.queryPrefix, document: options.documentPrefix }
  return async (texts: readonly string[], role: EmbedRole, signal: AbortSignal): Promise<Embeddings> => {
    try {
      const sent: unknown = await post(
        '/embeddings',
        {
          model,
          input: texts.map((text) => prefixes[role] + text),
          encoding_format: encodingFormat,
          ...(dimensions !== undefined && { dimensions }),
          ...body,
        },
        { signal, sample: 0 },
      )
      return embeddingsOf(sent)
    } catch (error) {
      throw translate(error)
    }
  }
}

/** A long list of numbers, looked at one by one only when it becomes a vector. */
const list = z.custom<readonly unknown[]>(Array.isArray)

const embeddingReply = z.object({
  data: z.array(z.object({ index: z.int().min(0).optional(), embedding: z.union([z.string(), list]) })),
  usage: z.object({ prompt_tokens: count }).nullish(),
})

function embeddingsOf(sent: unknown): Embeddings {
  const { data, usage } = checked(embeddingReply, sent)
  const inOrder = data.map((item, position) => ({ at: item.index ?? position, embedding: item.embedding }))
  if (new Set(inOrder.map(({ at }) => at)).size < inOrder.length)
    throw new CallError('server', "the server's reply gives two embeddings the same index", { retryable: true })
  const vectors = inOrder.sort((a, b) => a.at - b.at).map(({ embedding }) => unitVector(embedding))
  const tokens = usage?.prompt_tokens
  return { vectors, ...(typeof tokens === 'number' && { tokens }) }
}

/** Of length one; zero stays zero, and what is not finite stays so, for the seam to name its text. */
function unitVector(sent: string | readonly unknown[]): Float32Array {
  const vector =
    typeof sent === 'string'
      ? new Float32Array(new Uint8Array(Buffer.from(sent, 'base64')).buffer)
      : Float32Array.from(sent, (value) => (typeof value === 'number' ? value : NaN))
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
  return length > 0 ? vector.map((value) => value / length) : vector
}
