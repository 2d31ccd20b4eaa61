import type { APIError } from 'openai'
import { HttpFault } from '../../../basics/http-messages.ts'
import { isObject } from '../../../basics/plain-data.ts'
import { messageOf, ModelError } from '../../../errors.ts'
import { CallError, retryAfterSeconds } from '../../calls/retry.ts'

/** The fields in use of the client library's errors. */
type ErrorFields = Partial<Pick<APIError, 'status' | 'code' | 'type' | 'param' | 'headers'>>

/** The body of a request: of these fields and others. */
export interface RequestBody {
  readonly model?: string
  readonly messages?: readonly { readonly role: string }[]
}

/**
 * What a server complains of: `length` or `content` of this request; of every request the `system` role, the
 * `tokensField`, another field by its name, the `key` or the `model`. Undefined if unknown.
 */
export function complaintOf(error: unknown, body: RequestBody): string | undefined {
  const { status = 0, code, param } = fieldsOf(error)
  const message = explain(error)
  if (!refusals.has(status)) return undefined
  if (refusesSystem.test(message) && body.messages?.some(({ role }) => role === 'system')) return 'system'
  if (code === 'context_length_exceeded' || lengthRefusal.test(message)) return 'length'
  // a passing fault of the server may hold any of the words below
  if (status === 500) return 'response_format' in body && formatField.test(message) ? 'response_format' : undefined
  if (code === 'content_filter' || contentRefusal.test(message)) return 'content'
  if ('response_format' in body && formatRefusal.test(message)) return 'response_format'
  const [parameter = ''] = param?.split(/[.[]/) ?? []
  const fields = Object.keys(body).filter((field) => !['model', 'messages', 'input'].includes(field))
  const isOfField = parameter !== 'model' && refusesValue.test(message)
  const namedField = isOfField ? fields.find((name) => wordOf(name).test(message)) : undefined
  const field = fields.find((name) => name === parameter) ?? namedField
  if (field === 'max_tokens' && message.includes('max_completion_tokens')) return 'tokensField'
  if (field !== undefined) return field
  if (invalidKey.test(message)) return 'key'
  return unknownModel.test(message) || code === 'model_not_found' ? 'model' : undefined
}

/** Statuses with which servers refuse the content of a request; 500: what local servers cannot template or format. */
const refusals = new Set([400, 404, 413, 422, 500])

const lengthRefusal =
  /context[ _](length|window|size)|maximum (context|input|prompt|sequence)|(prompt|input|request|message)s? (is|are) too (long|large)|too many (input )?tokens|exceeds? .*(context|token limit|number of tokens)|reduce the length/i
const contentRefusal =
  /content[ _](management|policy|filter)|content was (blocked|filtered)|moderation|safety (system|settings|filter)/i
const formatField = /response_format|json_schema/i
const formatRefusal = /response_format|json_schema|structured|schema|grammar|guided|m(in|ax)Items/i
const refusesSystem =
  /(system|developer)['"]? (role|message|prompt|instruction)s?\b.*\b(not|un)|not support\w* .*\bsystem\b|roles must alternate|only user(,| and) assistant/i
const refusesValue =
  /unsupported|not (supported|support|allowed|permitted|accepted|valid|recogni[sz]ed)|unrecogni[sz]ed|unknown|unexpected|invalid|extra|deprecated|only|must be|should be|cannot|too (large|small)|less than|greater than/i
const invalidKey = /api[ _-]?key|auth_error|authenticat|unauthori[sz]ed|credential|proxy server token|no connected db/i
const unknownModel =
  /\bmodel\b.*\b(not (found|exist|available|support\w*|served|loaded)|invalid|unknown)|(invalid|unknown|no such|unsupported|unable to find|does not exist|no) .*\bmodel\b/i

const wordOf = (field: string): RegExp => new RegExp(`\\b${field.replaceAll(/[^\w]/g, '\\$&')}\\b`, 'i')

const passing = new Set([408, 409, 425, 429])

/** Converts a client error into CallError or ModelError; `key`: the variable of the key. */
export function translate(
  error: unknown,
  body: RequestBody = {},
  key = 'apiKey of the model, or OPENAI_API_KEY',
): Error {
  const causes = causesOf(error)
  const specificError = causes.find((cause) => cause instanceof ModelError || cause instanceof CallError)
  if (specificError) return specificError
  const fault = causes.find((cause) => cause instanceof HttpFault)
  if (fault) {
    const { message, remedy } = fault
    return new CallError('server', message, { retryable: false, ...(remedy && { unusable: message, remedy }) })
  }
  const { status, code, type, headers } = fieldsOf(error)
  const message = explain(error)
  if (status === undefined) return toConnectionError(error, message)
  const complaint = complaintOf(error, body)
  if (complaint === 'length') return new ModelError('window', message)
  if (complaint === 'content') return new ModelError('refused', message)
  // an exhausted quota comes as a 429, and no wait helps
  const isQuota = code === 'insufficient_quota' || type === 'insufficient_quota'
  const reason = isQuota ? 'quota' : String(status)
  const isKey = complaint === 'key' || status === 401
  const standardRemedy = isKey ? `check the key: ${key}` : remedies[complaint ?? reason]
  const remedy = standardRemedy ?? (complaint && `remove "${complaint}" from body`)
  return new CallError('server', message, {
    retryable: !isQuota && !complaint && (passing.has(status) || status >= 500),
    waitSeconds: headers && retryAfterSeconds(headers),
    ...(remedy && { unusable: reason, remedy }),
  })
}

/** Remedies for errors that concern every call of a model. */
const remedies: Readonly<Record<string, string>> = {
  402: 'check the account of the key',
  403: 'check what the key may use',
  404: 'check model and baseUrl',
  quota: 'check the account of the key: its quota is used up',
  ECONNREFUSED: 'check baseUrl, and whether the server runs',
  ENOTFOUND: 'check the host in baseUrl',
  model: 'check model and baseUrl',
  temperature: 'set temperature: null, or to what the server accepts',
  seed: 'set seed: null',
  max_tokens: 'lower maxTokens',
  max_completion_tokens: 'lower maxTokens',
}

/** An error without status: the connection failed, or the reply was not JSON. */
function toConnectionError(error: unknown, message: string): CallError {
  // the parser quotes the reply, which may contain a piece of a key
  if (error instanceof SyntaxError)
    return new CallError('server', "the server's reply is malformed: it is not JSON", { retryable: true })
  const kind = /timed? ?out/i.test(message) ? 'timeout' : 'network'
  const code = causesOf(error)
    .flatMap((cause) => ('code' in cause ? String(cause.code) : []))
    .find((name) => name in remedies)
  return new CallError(kind, message, { retryable: true, ...(code && { unusable: code, remedy: remedies[code] }) })
}

const fieldsOf = (error: unknown): ErrorFields => (error instanceof Error ? (error as ErrorFields) : {})

/** The message with those of its causes, which explain failed connections. */
function explain(error: unknown): string {
  const messages = causesOf(error).map((cause) => messageOf(cause).replace(/\.$/, ''))
  return [...new Set(messages)].filter((message) => message !== '').join(': ')
}

function causesOf(error: unknown): readonly Error[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : []
}

/** The refusal in a body of any form; undefined if it gives no reason. */
export function refusalIn(body: unknown) {
  const message = reasonIn(body)
  const outer: unknown = Array.isArray(body) ? body[0] : body
  const inner = isObject(outer) && isObject(outer['error']) ? outer['error'] : outer
  const { code, type, param } = isObject(inner) ? inner : {}
  return message === '' ? undefined : { message, code, type, ...(typeof param === 'string' && { param }) }
}

/** The reasons in the body of a refusal of any form, joined; empty if there is none. */
function reasonIn(value: unknown): string {
  if (typeof value === 'string') return value.trim()
  if (Array.isArray(value)) return value.map(reasonIn).join('; ')
  if (!isObject(value)) return ''
  const reasons = ['error', 'message', 'detail', 'msg'].map((field) => reasonIn(value[field]))
  const reason = reasons.find((text) => text !== '') ?? ''
  // FastAPI gives the place of an invalid field separately
  const { loc } = value
  return Array.isArray(loc) ? `${loc.join('.')}: ${reason}` : reason
}
