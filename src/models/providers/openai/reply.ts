import { z } from 'zod'
import { CallError } from '../../calls/retry.ts'

/** A count of tokens, which servers may leave out or fill with anything. */
export const count = z.number().nullish().catch(undefined)

/** What a server sent, when it has the right shape; it may be anything, and JSON of another content type comes as text. Throws CallError naming the place. */
export function checked<T>(schema: z.ZodType<T>, sent: unknown): T {
  const read = schema.safeParse(typeof sent === 'string' ? parsed(sent) : sent)
  if (read.success) return read.data
  const [issue] = read.error.issues
  const place = issue?.path.join('.') ?? ''
  throw new CallError('server', `the server's reply is malformed at "${place}": ${issue?.message ?? ''}`, {
    retryable: true,
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
