import type { APIError } from 'openai'
import { HttpFault } from '../../../basics/http-messages.ts'
import { isObject } from '../../../basics/plain-data.ts'
import { messageOf, ModelError } from '../../../errors.ts'
import { CallError, retryAfterSeconds } from '../../calls/retry.ts'

/** What is read of an error of the client library, or of Node's connection beneath it. */
type ErrorFields = Partial<Pick<APIError, 'status' | 'code' | 'type' | 'param' | 'headers'>>

/** What a server refuses, in its own words: `length` of prompt and reply, `content`, or a part of the request. */
export type Complaint = 'length' | 'content' | 'format' | 'tokensField' | 'system' | 'model' | 'key' | SentParameter

/** A field of a request that a server may not accept, or not with this value. */
interface SentParameter {
  readonly parameter: string
}

/** What a failed request was refused for; undefined where that cannot be told. `sent`: its body. */
export const complaintIn = (error: unknown, sent: object): Complaint | undefined =>
  complaintOf(fieldsOf(error), explained(error), sent)

function complaintOf(error: ErrorFields, message: string, sent: object = {}): Complaint | undefined {
  const { status = 0, code } = error
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
  const parameter = parameterIn(error, message, sent)
  if (parameter !== undefined)
    return tokensFields.has(parameter) && unknownField.test(message) ? 'tokensField' : { parameter }
  if (invalidKey.test(message)) return 'key'
  return unknownModel.test(message) || code === 'model_not_found' ? 'model' : undefined
}

/** What to do about a complaint that no request without a change of the config can avoid. */
function remedyFor(complaint: Complaint): string | undefined {
  if (typeof complaint !== 'object') return remediesOfComplaints[complaint]
  const { parameter } = complaint
  return remediesOfComplaints[parameter] ?? `remove "${parameter}" from body`
}

const remediesOfComplaints: Readonly<Record<string, string>> = {
  model: 'check model and baseUrl',
  messages: 'check model and baseUrl',
  temperature: 'set temperature: null, or to what the server accepts',
  seed: 'set seed: null',
  max_tokens: 'lower maxTokens',
  max_completion_tokens: 'lower maxTokens',
}

/** Statuses with which servers refuse a request for what it holds; another status has a meaning of its own. */
const refusals = new Set([400, 404, 413, 422])

const tokensFields = new Set(['max_tokens', 'max_completion_tokens'])

const tooLong =
  /context[ _](length|window|size)|maximum (context|input|prompt|sequence)|(prompt|input|request|message)s? (is|are) too (long|large)|too many (input )?tokens|exceeds? .*(context|token limit|number of tokens)|reduce the length/i
const unwanted =
  /content[ _](management|policy|filter)|content was (blocked|filtered)|moderation|safety (system|settings|filter)/i
const ofFormat = /response_format|json_schema|structured|schema|grammar|guided|m(in|ax)Items/i
const refusesSystem =
  /(system|developer)['"]? (role|message|prompt|instruction)s?\b.*\b(not|un)|not support\w* .*\bsystem\b|roles must alternate|only user(,| and) assistant/i
const invalidKey = /api[ _-]?key|auth_error|authenticat|unauthori[sz]ed|credential|proxy server token|no connected db/i
const unknownModel =
  /\bmodel\b.*\b(not (found|exist|available|support\w*|served|loaded)|invalid|unknown)|(invalid|unknown|no such|unsupported|unable to find|does not exist|no) .*\bmodel\b/i
const unknownField =
  /unsupported|not supported|unrecogni[sz]ed|unknown|unexpected|extra|not permitted|not allowed|instead/i
const refusesValue =
  /unsupported|not (supported|support|allowed|permitted|accepted|valid|recogni[sz]ed)|unrecogni[sz]ed|unknown|unexpected|invalid|extra|deprecated|only|must be|should be|cannot|too (large|small)|less than|greater than/i

function parameterIn({ param }: ErrorFields, message: string, sent: object): string | undefined {
  const named = typeof param === 'string' ? param.split(/[.[]/)[0] : undefined
  if (named === 'model') return undefined
  if (named !== undefined && named in sent && named !== 'messages' && named !== 'input') return named
  if (!refusesValue.test(message)) return undefined
  const fields = Object.keys(sent).filter((field) => !content.has(field))
  return fields.find((field) => new RegExp(`\\b${field.replaceAll(/[^\w]/g, '\\$&')}\\b`, 'i').test(message))
}

/** Fields whose names are words of any message. */
const content = new Set(['model', 'messages', 'input'])

const hasSystem = (sent: object): boolean =>
  'messages' in sent &&
  Array.isArray(sent.messages) &&
  sent.messages.some((message: unknown) => isObject(message) && message['role'] === 'system')

const passing = new Set([408, 409, 425, 429])

/** What a failed request means: whether to repeat it, or a ModelError; `key`: the variable that names the key. */
export function translate(error: unknown, sent: object = {}, key?: string): Error {
  const causes = causesOf(error)
  const thrown = causes.find((cause) => cause instanceof ModelError || cause instanceof CallError)
  if (thrown) return thrown
  const fault = causes.find((cause) => cause instanceof HttpFault)
  if (fault) return faultOf(fault)
  const fields = fieldsOf(error)
  const { status, code, type, headers } = fields
  const message = explained(error)
  if (status === undefined) return unanswered(error, message)
  const complaint = complaintOf(fields, message, sent)
  if (complaint === 'length') return new ModelError('window', message)
  if (complaint === 'content') return new ModelError('refused', message)
  // a used-up quota comes as a 429, and no wait helps
  const spent = code === 'insufficient_quota' || type === 'insufficient_quota'
  const retryable = !spent && !complaint && (passing.has(status) || status >= 500)
  const waitSeconds = headers && retryAfterSeconds(headers)
  const useless = spent ? 'quota' : String(status)
  const known = useless === '401' ? checkKey(key) : remedies[useless]
  const remedy = (complaint === 'key' ? checkKey(key) : complaint && remedyFor(complaint)) ?? known
  return new CallError('server', message, { retryable, waitSeconds, ...(remedy && { unusable: useless, remedy }) })
}

const faultOf = ({ message, remedy }: HttpFault): CallError =>
  new CallError('server', message, { retryable: false, ...(remedy && { unusable: message, remedy }) })

const checkKey = (variable = 'apiKey of the model, or OPENAI_API_KEY'): string => `check the key: ${variable}`

/** What to do where every call of a model gets the same: a wrong key, an unpaid account, a missing address. */
const remedies: Readonly<Record<string, string>> = {
  402: 'check the account of the key',
  403: 'check what the key may use',
  404: 'check model and baseUrl',
  quota: 'check the account of the key: its quota is used up',
  ECONNREFUSED: 'check baseUrl, and whether the server runs',
  ENOTFOUND: 'check the host in baseUrl',
}

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
    .map((cause) => ('code' in cause ? String(cause.code) : ''))
    .find((one) => unreachable.has(one))
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
  const found = reasonFields.map((field) => reasonIn(value[field])).find((reason) => reason !== '') ?? ''
  // a check of the request's fields, such as FastAPI's, says the place apart
  const { loc } = value
  return Array.isArray(loc) && found !== '' ? `${loc.join('.')}: ${found}` : found
}

const reasonFields = ['error', 'message', 'detail', 'msg', 'errors']
