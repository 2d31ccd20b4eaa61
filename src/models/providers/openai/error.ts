import type { APIError } from 'openai'
import { messageOf, ModelError } from '../../../errors.ts'
import { CallError, retryAfterSeconds } from '../../calls/retry.ts'

/** What is read of an error of the client library, or of Node's fetch beneath it. */
type Fields = Partial<Pick<APIError, 'status' | 'code' | 'type' | 'headers'>>

const passing = new Set([408, 409, 425, 429])

/** What a failed request means: whether to repeat it, or a ModelError where no repetition helps. */
export function translate(error: unknown): Error {
  const known = causesOf(error).find((cause) => cause instanceof ModelError || cause instanceof CallError)
  if (known) return known
  const { status, code, type, headers } = fieldsOf(error)
  const message = explained(error)
  if (status === undefined) return unanswered(error, message)
  if (code === 'context_length_exceeded') return new ModelError('window', message)
  if (code === 'content_filter') return new ModelError('refused', message)
  // a used-up quota comes as a 429, and no wait helps
  const spent = code === 'insufficient_quota' || type === 'insufficient_quota'
  const retryable = !spent && (passing.has(status) || status >= 500)
  const unusable = spent ? 'quota' : useless.has(status) ? String(status) : undefined
  return new CallError('server', message, { retryable, waitSeconds: headers && retryAfterSeconds(headers), unusable })
}

/** Statuses that every call of a model gets: a wrong key, an unpaid account, a forbidden or missing address. */
const useless = new Set([401, 402, 403, 404])

/** Codes of connections that no call gets. */
const unreachable = new Set(['ECONNREFUSED', 'ENOTFOUND'])

/** No status: the connection failed, before or within the reply, or the reply was no JSON. */
function unanswered(error: unknown, message: string): CallError {
  // the parser quotes a piece of the reply, which may hold a piece of a key
  if (error instanceof SyntaxError)
    return new CallError('server', "the server's reply is malformed: it is not JSON", { retryable: true })
  if (error instanceof RangeError)
    return new CallError('server', `the server's reply is malformed: ${message}`, { retryable: true })
  const kind = /timed? ?out/i.test(message) ? 'timeout' : 'network'
  const code = causesOf(error)
    .map(codeOf)
    .find((one) => unreachable.has(one))
  return new CallError(kind, message, { retryable: true, unusable: code })
}

const codeOf = (error: Error): string => ('code' in error ? String(error.code) : '')

const fieldsOf = (error: unknown): Fields => (error instanceof Error ? (error as Fields) : {})

/** The message with those of its causes, which alone say why a connection failed. */
function explained(error: unknown): string {
  const messages = causesOf(error).map((cause) => messageOf(cause).replace(/\.$/, ''))
  return [...new Set(messages)].filter((message) => message !== '').join(': ')
}

/** An error, its cause, the cause of that, … */
function causesOf(error: unknown): readonly Error[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : []
}
