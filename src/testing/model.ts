import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { plainData } from '../basics/plain-data.ts'
import { messageOf, ModelError } from '../errors.ts'
import { taskCallOf } from '../models/calls/task-call.ts'
import { callOptions, type CompletionRequest, type Provider, type ProviderKind } from '../models/provider.ts'
import { answerQuestion } from '../tasks/answers.ts'
import { describe } from '../text/validation-errors.ts'
import { plugInFindings, type Report } from './findings.ts'

export interface ModelCase {
  /** Options to open with, as a config has them. */
  readonly options?: unknown
  /** The request to the model (default: to answer a question). */
  readonly request?: CompletionRequest
  /** Largest difference between a number of a vector alone and in a batch. */
  readonly tolerance?: number
  /** Why it cannot be opened here (weights or a server that are not there): only its fields and options are checked. */
  readonly closed?: string
}

/** Violations of the contract of a provider, a line each. */
export const modelFindings = <O>(item: ProviderKind<O>, modelCase: ModelCase = {}): Promise<readonly string[]> =>
  plugInFindings('provider', item, modelCase.options ?? {}, async (_options, report) => {
    const open = (): Promise<Provider> => item.open(item.options.parse(modelCase.options ?? {}), { cacheFolder: '' })
    const { properties = {} } = z.toJSONSchema(item.options, { io: 'input', unrepresentable: 'any' })
    for (const [name, schema] of Object.entries(properties))
      if (!(schema as { readonly description?: string }).description)
        report(`the option "${name}" has no description; add .describe('…')`)
    for (const name of Object.keys(callOptions))
      if (!(name in properties)) report(`has no option "${name}"; make the kind with defineProvider`)
    if (modelCase.closed !== undefined) return
    const first = await open()
    const second = await open()
    const abilities = (['complete', 'embed', 'embedTokens', 'rerank'] as const).filter((ability) => first[ability])
    if (abilities.length === 0) report('has no function complete, embed, embedTokens or rerank')
    for (const ability of abilities)
      if (!item.can.includes(ability)) report(`has ${ability}(), which "can" does not name; add it there`)
    if (first.name !== item.name) report(`its provider has the name "${first.name}"; give "${item.name}"`)
    if (!isDeepStrictEqual(plainData(first.parameters), plainData(second.parameters)))
      report('its parameters differ when it is opened again')
    try {
      await checkCompletion(first, modelCase, report)
      await checkEmbeddings(first, modelCase, report)
    } catch (error) {
      const advice = error instanceof ModelError ? 'a call failed' : 'a call threw no ModelError; throw one'
      report(`${advice}: ${messageOf(error)}`)
    } finally {
      await first.close?.()
      await second.close?.()
    }
  })

const { signal } = new AbortController()
const answerRequest = taskCallOf(answerQuestion, answerQuestion.sample, 0).request

async function checkCompletion(
  provider: Provider,
  { request = answerRequest }: ModelCase,
  report: Report,
): Promise<void> {
  if (!provider.complete) return
  const { text, finish, promptTokens = 0, completionTokens = 0 } = await provider.complete(request, signal)
  if (typeof text !== 'string') report(`replied with ${describe(text)}; return a text`)
  if (!['stop', 'length'].includes(finish)) report(`finish is ${describe(finish)}; give "stop" or "length"`)
  if (!(promptTokens >= 0 && completionTokens >= 0)) report('its token counts are no numbers from 0')
  const again = await provider.complete(request, signal)
  if (again.text !== text) report(`replied ${describe(text)}, then ${describe(again.text)}`)
}

const texts = ['The lamp broke at night.', '', 'Ünïcödé, 漢字 and 🙂', 'a '.repeat(300), 'The lamp broke at night.']

async function checkEmbeddings(provider: Provider, { tolerance = 1e-6 }: ModelCase, report: Report): Promise<void> {
  for (const text of provider.embedTokens ? texts : []) {
    const tokens = await provider.embedTokens?.(text, signal)
    if (tokens?.vectors.length === 0) report(`gave no vector for the tokens of ${describe(text)}`)
  }
  if (!provider.embed) return
  const { vectors } = await provider.embed(texts, 'document', signal)
  if (vectors.length !== texts.length) report(`gave ${vectors.length} vectors for ${texts.length} texts`)
  for (const [index, text] of texts.entries()) {
    const vector = vectors[index]
    const alone = (await provider.embed([text], 'document', signal)).vectors[0]
    const isVector = vector instanceof Float32Array && vector.length === vectors[0]?.length
    if (!isVector || !(alone instanceof Float32Array)) {
      report(`the vector of ${describe(text)} is no Float32Array as long as the others`)
      return
    }
    const length = Math.hypot(...vector)
    // a text without words has the zero vector
    if (!(length === 0 || Math.abs(length - 1) < 5e-6))
      report(`the vector of ${describe(text)} has the length ${length}; give 1`)
    const difference = Math.max(...vector.map((value, at) => Math.abs(value - (alone[at] ?? NaN))))
    if (!(difference <= tolerance))
      report(`embeds ${describe(text)} otherwise alone: numbers differ by ${difference}, over ${tolerance}`)
  }
}
