import type { APIError } from 'openai'
import { HttpFault } from '../../../basics/http-messages.ts'
import { isObject } from '../../../basics/plain-data.ts'
import { messageOf, ModelError } from '../../../errors.ts'
import { CallError, retryAfterSeconds } from '../../calls/retry.ts'

/** What is read of an error of the client library. */
type ErrorFields = Partial<Pick<APIError, 'status' | 'code' | 'type' | 'param' | 'headers'>>

/** What a server refuses: the length of prompt and reply, what they say, or a part of the request. */
export type Refusal = 'length' | 'content' | 'format' | 'tokensField' | 'system'

/** What a failed request was refused for; undefined where that cannot be told. `sent`: its body. */
export function refusalOf(error: unknown, sent: object): Refusal | undefined {
  const { status = 0, code } = fieldsOf(error)
  const message = explained(error)
  // templates that know no system message make some servers fail with 500
  if (hasSystem(sent) && /^(4|500)/.test(String(status)) && refusesSystem.test(message)) return 'system'
  // some servers fail over a format that they do not know (llama-cpp-python)
  if ('response_format' in sent && status === 500 && /response_format|json_schema/i.test(message)) return 'format'
  // llama.cpp's server fails so over what is longer than its batch
  if (status === 500 && tooLong.test(message)) return 'length'
  if (!refusals.has(status)) return undefined
  if (code === 'context_length_exceeded' || tooLong.test(message)) return 'length'
  if (code === 'content_filter' || unwanted.test(message)) return 'content'
  if ('response_format' in sent && ofFormat.test(message)) return 'format'
  const isTokensField = /^max_(completion_)?tokens$/.test(parameterIn(error, message, sent) ?? '')
  return isTokensField && unknownField.test(message) ? 'tokensField' : undefined
}

/** Statuses with which servers refuse a request for what it holds; another status has a meaning of its own. */
const refusals = new Set([400, 404, 413, 422])

const tooLong =
  /context[ _](length|window|size)|maximum (context|input|prompt|sequence)|(prompt|input|request|message)s? (is|are) too (long|large)|too many (input )?tokens|exceeds? .*(context|token limit|number of tokens)|reduce the length/i
const unwanted =
  /content[ _](management|policy|filter)|content was (blocked|filtered)|moderation|safety (system|settings|filter)/i
const ofFormat = /response_format|json_schema|structured|schema|grammar|guided|m(in|ax)Items/i
const refusesSystem =
  /(system|developer)['"]? (role|message|prompt|instruction)s?\b.*\b(not|un)|not support\w* .*\bsystem\b|roles must alternate|only user(,| and) assistant/i
const unknownField =
  /unsupported|not supported|unrecogni[sz]ed|unknown|unexpected|extra|not permitted|not allowed|instead/i
const refusesValue =
  /unsupported|not (supported|support|allowed|permitted|accepted|valid|recogni[sz]ed)|unrecogni[sz]ed|unknown|unexpected|invalid|extra|deprecated|only|must be|should be|cannot|too (large|small)|less than|greater than/i
const invalidKey = /api[ _-]?key|auth_error|authenticat|unauthori[sz]ed|credential|proxy server token|no connected db/i
const unknownModel =
  /\bmodel\b.*\b(not (found|exist|available|support\w*|served|loaded)|invalid|unknown)|(invalid|unknown|no such|unsupported|unable to find|does not exist|no) .*\bmodel\b/i

const hasSystem = (sent: object): boolean =>
  'messages' in sent &&
  Array.isArray(sent.messages) &&
  sent.messages.some((message: unknown) => isObject(message) && message['role'] === 'system')

/** The field of a request that an error names; words of any message name no field. */
function parameterIn(error: unknown, message: string, sent: object): string | undefined {
  const { param } = fieldsOf(error)
  const fields = Object.keys(sent).filter((field) => !['model', 'messages', 'input'].includes(field))
  const named = typeof param === 'string' ? param.split(/[.[]/)[0] : undefined
  if (named !== undefined && fields.includes(named)) return named
  if (named === 'model' || !refusesValue.test(message)) return undefined
  return fields.find((field) => new RegExp(`\\b${field.replaceAll(/[^\w]/g, '\\$&')}\\b`, 'i').test(message))
}

const passing = new Set([408, 409, 425, 429])

/** What a failed request means: whether to repeat it, or a ModelError; `key`: the variable that names the key. */
export function translate(error: unknown, sent: object = {}, key?: string): Error {
  const causes = causesOf(error)
  const thrown = causes.find((cause) => cause instanceof ModelError || cause instanceof CallError)
  if (thrown) return thrown
  const fault = causes.find((cause) => cause instanceof HttpFault)
  if (fault) {
    const { message, remedy } = fault
    return new CallError('server', message, { retryable: false, ...(remedy && { unusable: message, remedy }) })
  }
  const { status, code, type, headers } = fieldsOf(error)
  const message = explained(error)
  if (status === undefined) return unanswered(error, message)
  const refusal = refusalOf(error, sent)
  if (refusal === 'length') return new ModelError('window', message)
  if (refusal === 'content') return new ModelError('refused', message)
  // a used-up quota comes as a 429, and no wait helps
  const isQuota = code === 'insufficient_quota' || type === 'insufficient_quota'
  const reason = isQuota ? 'quota' : String(status)
  const complaint = refusals.has(status) ? complaintOf(error, message, sent) : undefined
  const known = reason === '401' || complaint === 'key' ? keyRemedy(key) : remedies[complaint ?? reason]
  const remedy = known ?? (complaint && `remove "${complaint}" from body`)
  return new CallError('server', message, {
    retryable: !isQuota && !complaint && (passing.has(status) || status >= 500),
    waitSeconds: headers && retryAfterSeconds(headers),
    ...(remedy && { unusable: reason, remedy }),
  })
}

/** What no request of this model can do without: `key`, `model`, or a field that the config sets. */
function complaintOf(error: unknown, message: string, sent: object): string | undefined {
  const parameter = parameterIn(error, message, sent)
  if (parameter !== undefined) return parameter
  if (invalidKey.test(message)) return 'key'
  return unknownModel.test(message) || fieldsOf(error).code === 'model_not_found' ? 'model' : undefined
}

const keyRemedy = (variable = 'apiKey of the model, or OPENAI_API_KEY'): string => `check the key: ${variable}`

/** What to do where every call of a model gets the same: a wrong key, an unpaid account, a missing address. */
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

/** No status: the connection failed, before or within the reply, or the reply was no JSON. */
function unanswered(error: unknown, message: string): CallError {
  // the parser quotes a piece of the reply, which may hold a piece of a key
  if (error instanceof SyntaxError)
    return new CallError('server', "the server's reply is malformed: it is not JSON", { retryable: true })
  const kind = /timed? ?out/i.test(message) ? 'timeout' : 'network'
  const code = causesOf(error)
    .map((cause) => ('code' in cause ? String(cause.code) : ''))
    .find((one) => one === 'ECONNREFUSED' || one === 'ENOTFOUND')
  return new CallError(kind, message, { retryable: true, ...(code && { unusable: code, remedy: remedies[code] }) })
}

const fieldsOf = (error: unknown): ErrorFields => (error instanceof Error ? (error as ErrorFields) : {})

/** The message with those of its causes, which alone say why a connection failed. */
function explained(error: unknown): string {
  const messages = causesOf(error).map((cause) => messageOf(cause).replace(/\.$/, ''))
  return [...new Set(messages)].filter((message) => message !== '').join(': ')
}

function causesOf(error: unknown): readonly Error[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : []
}

/** The body of a refusal, of whatever form, as the client library reads it; undefined where it gives no reason. */
export function refusalIn(body: unknown): { readonly error: Readonly<Record<string, unknown>> } | undefined {
  const message = reasonIn(body)
  if (message === '') return undefined
  const outer = Array.isArray(body) ? (body as readonly unknown[])[0] : body
  const inner = isObject(outer) && isObject(outer['error']) ? outer['error'] : outer
  const { code, type, param } = isObject(inner) ? inner : {}
  return { error: { message, code, type, param } }
}

/** The reason in the body of a refusal, whatever its form; several are joined, and an empty text is none. */
function reasonIn(value: unknown): string {
  if (typeof value === 'string') return value.trim()
  if (Array.isArray(value)) return [...new Set(value.map(reasonIn))].filter((reason) => reason !== '').join('; ')
  if (!isObject(value)) return ''
  const reasons = ['error', 'message', 'detail', 'msg', 'errors'].map((field) => reasonIn(value[field]))
  const reason = reasons.find((text) => text !== '') ?? ''
  // a check of the request's fields, such as FastAPI's, says the place apart
  const { loc } = value
  return Array.isArray(loc) && reason !== '' ? `${loc.join('.')}: ${reason}` : reason
}
