import type { APIError } from 'openai'
import { messageOf, ModelError } from '../../errors.ts'
import { CallError, retryAfterSeconds } from '../retry.ts'

/** What is read of an error of the client library, or of Node's fetch beneath it. */
type Fields = Partial<Pick<APIError, 'status' | 'code' | 'type' | 'headers'>>

const passing = new Set([408, 409, 425, 429])

/** What a failed request means, without the secrets: whether to repeat it, or a ModelError where no repetition helps. */
export function translate(error: unknown, secrets: readonly string[]): Error {
  if (error instanceof ModelError || error instanceof CallError) return error
  const { status, code, type, headers } = fieldsOf(error)
  const message = scrub(explained(error), secrets)
  if (status === undefined) return unanswered(error, message)
  if (code === 'context_length_exceeded') return new ModelError('window', message)
  if (code === 'content_filter') return new ModelError('refused', message)
  // a used-up quota comes as a 429, and no wait helps
  const spent = code === 'insufficient_quota' || type === 'insufficient_quota'
  const retryable = !spent && (passing.has(status) || status >= 500)
  return new CallError('server', message, { retryable, waitSeconds: headers && retryAfterSeconds(headers) })
}

/** Every secret in a text becomes stars. */
export const scrub = (text: string, secrets: readonly string[]): string =>
  secrets.filter((secret) => secret !== '').reduce((clean, secret) => clean.replaceAll(secret, '***'), text)

/** No status: the connection failed, before or within the reply, or the reply was no JSON. */
function unanswered(error: unknown, message: string): CallError {
  if (error instanceof SyntaxError || error instanceof RangeError)
    return new CallError('server', `the server's reply is malformed: ${message}`, { retryable: true })
  const kind = /timed? ?out/i.test(message) ? 'timeout' : 'network'
  return new CallError(kind, message, { retryable: true })
}

const fieldsOf = (error: unknown): Fields => (error instanceof Error ? (error as Fields) : {})

/** The message with those of its causes, which alone say why a connection failed. */
function explained(error: unknown): string {
  const messages: string[] = []
  for (
    let cause = error;
    cause !== undefined && cause !== null;
    cause = cause instanceof Error ? cause.cause : undefined
  ) {
    const message = messageOf(cause).replace(/\.$/, '')
    if (message !== '' && !messages.includes(message)) messages.push(message)
  }
  return messages.join(': ')
}
