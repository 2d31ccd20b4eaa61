import type { APIError } from 'openai'
import { HttpFault } from '../../../basics/http-messages.ts'
import { isObject } from '../../../basics/plain-data.ts'
import { messageOf, ModelError } from '../../../errors.ts'
import { CallError, retryAfterSeconds } from '../../calls/retry.ts'

/** The fields in use of the client library's errors. */
type ErrorFields = Partial<Pick<APIError, 'status' | 'code' | 'type' | 'param' | 'headers'>>

/** What a server refuses: the length of prompt and reply, their content, or a part of the request. */
export type Refusal = 'length' | 'content' | 'format' | 'tokensField' | 'system'

/** Why the server refused a request with this body; undefined if unknown. */
export function refusalOf(error: unknown, body: object): Refusal | undefined {
  const { status = 0, code } = fieldsOf(error)
  const message = explain(error)
  // templates without system messages make some servers fail with 500
  if (hasSystem(body) && /^(4|500)/.test(String(status)) && refusesSystem.test(message)) return 'system'
  // llama-cpp-python fails with 500 for unknown formats
  if ('response_format' in body && status === 500 && /response_format|json_schema/i.test(message)) return 'format'
  // llama.cpp's server fails with 500 for inputs longer than its batch
  if (status === 500 && lengthRefusal.test(message)) return 'length'
  if (!refusals.has(status)) return undefined
  if (code === 'context_length_exceeded' || lengthRefusal.test(message)) return 'length'
  if (code === 'content_filter' || contentRefusal.test(message)) return 'content'
  if ('response_format' in body && formatRefusal.test(message)) return 'format'
  const isTokensField = /^max_(completion_)?tokens$/.test(parameterIn(error, message, body) ?? '')
  return isTokensField && unknownField.test(message) ? 'tokensField' : undefined
}

/** Statuses with which servers refuse the content of a request. */
const refusals = new Set([400, 404, 413, 422])

const lengthRefusal =
  /context[ _](length|window|size)|maximum (context|input|prompt|sequence)|(prompt|input|request|message)s? (is|are) too (long|large)|too many (input )?tokens|exceeds? .*(context|token limit|number of tokens)|reduce the length/i
const contentRefusal =
  /content[ _](management|policy|filter)|content was (blocked|filtered)|moderation|safety (system|settings|filter)/i
const formatRefusal = /response_format|json_schema|structured|schema|grammar|guided|m(in|ax)Items/i
const refusesSystem =
  /(system|developer)['"]? (role|message|prompt|instruction)s?\b.*\b(not|un)|not support\w* .*\bsystem\b|roles must alternate|only user(,| and) assistant/i
const unknownField =
  /unsupported|not supported|unrecogni[sz]ed|unknown|unexpected|extra|not permitted|not allowed|instead/i
const refusesValue =
  /unsupported|not (supported|support|allowed|permitted|accepted|valid|recogni[sz]ed)|unrecogni[sz]ed|unknown|unexpected|invalid|extra|deprecated|only|must be|should be|cannot|too (large|small)|less than|greater than/i
const invalidKey = /api[ _-]?key|auth_error|authenticat|unauthori[sz]ed|credential|proxy server token|no connected db/i
const unknownModel =
  /\bmodel\b.*\b(not (found|exist|available|support\w*|served|loaded)|invalid|unknown)|(invalid|unknown|no such|unsupported|unable to find|does not exist|no) .*\bmodel\b/i

const hasSystem = (body: object): boolean =>
  'messages' in body &&
  Array.isArray(body.messages) &&
  body.messages.some((message: unknown) => isObject(message) && message['role'] === 'system')

/** The request field that an error names, other than model, messages and input. */
function parameterIn(error: unknown, message: string, body: object): string | undefined {
  const { param } = fieldsOf(error)
  const fields = Object.keys(body).filter((field) => !['model', 'messages', 'input'].includes(field))
  const parameter = typeof param === 'string' ? param.split(/[.[]/)[0] : undefined
  if (parameter !== undefined && fields.includes(parameter)) return parameter
  if (parameter === 'model' || !refusesValue.test(message)) return undefined
  return fields.find((field) => new RegExp(`\\b${field.replaceAll(/[^\w]/g, '\\$&')}\\b`, 'i').test(message))
}

const passing = new Set([408, 409, 425, 429])

/** Converts a client error into CallError or ModelError; `key`: the variable of the key. */
export function translate(error: unknown, body: object = {}, key?: string): Error {
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
  const refusal = refusalOf(error, body)
  if (refusal === 'length') return new ModelError('window', message)
  if (refusal === 'content') return new ModelError('refused', message)
  // an exhausted quota comes as a 429, and no wait helps
  const isQuota = code === 'insufficient_quota' || type === 'insufficient_quota'
  const reason = isQuota ? 'quota' : String(status)
  const complaint = refusals.has(status) ? complaintOf(error, message, body) : undefined
  const standardRemedy = reason === '401' || complaint === 'key' ? keyRemedy(key) : remedies[complaint ?? reason]
  const remedy = standardRemedy ?? (complaint && `remove "${complaint}" from body`)
  return new CallError('server', message, {
    retryable: !isQuota && !complaint && (passing.has(status) || status >= 500),
    waitSeconds: headers && retryAfterSeconds(headers),
    ...(remedy && { unusable: reason, remedy }),
  })
}

/** The cause that concerns every request: `key`, `model`, or a field that the config sets. */
function complaintOf(error: unknown, message: string, body: object): string | undefined {
  const parameter = parameterIn(error, message, body)
  if (parameter !== undefined) return parameter
  if (invalidKey.test(message)) return 'key'
  return unknownModel.test(message) || fieldsOf(error).code === 'model_not_found' ? 'model' : undefined
}

const keyRemedy = (variable = 'apiKey of the model, or OPENAI_API_KEY'): string => `check the key: ${variable}`

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
    .map((cause) => ('code' in cause ? String(cause.code) : ''))
    .find((candidate) => candidate === 'ECONNREFUSED' || candidate === 'ENOTFOUND')
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

/** The body of a refusal in the client library's form; undefined if it gives no reason. */
export function refusalIn(body: unknown): { readonly error: Readonly<Record<string, unknown>> } | undefined {
  const message = reasonIn(body)
  if (message === '') return undefined
  const outer = Array.isArray(body) ? (body as readonly unknown[])[0] : body
  const inner = isObject(outer) && isObject(outer['error']) ? outer['error'] : outer
  const { code, type, param } = isObject(inner) ? inner : {}
  return { error: { message, code, type, param } }
}

/** The reasons in the body of a refusal of any form, joined; empty if there is none. */
function reasonIn(value: unknown): string {
  if (typeof value === 'string') return value.trim()
  if (Array.isArray(value)) {
    const reasons = new Set(value.map(reasonIn))
    return [...reasons].filter((reason) => reason !== '').join('; ')
  }
  if (!isObject(value)) return ''
  const reasons = ['error', 'message', 'detail', 'msg', 'errors'].map((field) => reasonIn(value[field]))
  const reason = reasons.find((text) => text !== '') ?? ''
  // FastAPI and others give the place of an invalid field separately
  const { loc } = value
  return Array.isArray(loc) && reason !== '' ? `${loc.join('.')}: ${reason}` : reason
}
