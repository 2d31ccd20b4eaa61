import { ModelError, UserError } from '../../errors.ts'
import type { CompletionRequest, Provider } from '../provider.ts'
import type { ModelClient } from './client.ts'
import { CallError } from './retry.ts'

/** A model in its role, and the ability that the role requires. */
export interface RoleModel {
  readonly role: string
  readonly ability: 'complete' | 'embed' | 'rerank'
  readonly client: ModelClient
}

/** Equal failures of the first calls after which a model counts as unusable. */
const maxEqualFailures = 3

/** The same for successive calls of a model that has worked before. */
const maxLaterFailures = 20

/** Watches the calls of one command: an unusable model ends the command instead of failing every call. */
export function firstCalls() {
  let notify: ((error: UserError) => void) | undefined
  let models: readonly RoleModel[] = []
  let probes: Promise<unknown> | undefined
  const stop = (error: UserError): UserError => {
    notify?.(error)
    notify = undefined
    return error
  }
  const tryAll = (): Promise<unknown> =>
    Promise.all(
      models.map(async (model) => {
        const fault = await tryOnce(model)
        if (!fault) return
        const message = unusable(model.client.provider, fault)
        throw stop(new UserError(`models.${model.role}: ${message}; nothing was asked`))
      }),
    )
  return {
    /** Watches the calls of a provider; each call gets a function that throws once the model is unusable. */
    guard(provider: Provider): <T>(call: (throwIfUnusable: () => void) => Promise<T>) => Promise<T> {
      let hasSucceeded = false
      let reasons: string[] = []
      let stopError: UserError | undefined
      const throwIfUnusable = (): void => {
        if (stopError) throw stopError
      }
      return async (call) => {
        if (notify) probes ??= tryAll()
        await probes
        try {
          const result = await call(throwIfUnusable)
          hasSucceeded = true
          reasons = []
          return result
        } catch (error) {
          // the model failed to load
          if (error instanceof UserError) throw stop(error)
          const fault = faultIn(error)
          if (!fault) throw error
          reasons.push(fault.reason)
          const most = hasSucceeded ? maxLaterFailures : maxEqualFailures
          if (reasons.length >= most && new Set(reasons).size === 1)
            stopError = stop(
              new UserError(
                `the ${hasSucceeded ? 'last' : 'first'} ${reasons.length} calls failed: ${unusable(provider, fault)}`,
              ),
            )
          throw error
        }
      }
    },
    /** From now on each candidate behind a server is probed first; `onStop` gets the reason why one is unusable. */
    begin(candidates: readonly RoleModel[], onStop: (error: UserError) => void): void {
      models = candidates.filter(({ client }) => client.provider.baseUrl !== undefined)
      notify = onStop
    },
  }
}

/** Why every call of a model fails. */
interface Fault {
  readonly reason: string
  readonly message: string
  readonly remedy: string
}

/** Makes a minimal request; returns why the model is unusable, or undefined. */
async function tryOnce({ ability, client }: RoleModel): Promise<Fault | undefined> {
  const { provider } = client
  const requests = {
    complete: (signal: AbortSignal) => provider.complete?.(tryRequest, signal),
    embed: (signal: AbortSignal) => provider.embed?.(['try'], 'query', signal),
    rerank: (signal: AbortSignal) => provider.rerank?.('try', ['try'], signal),
  }
  try {
    await client.probe(async (signal) => requests[ability](signal))
    return undefined
  } catch (error) {
    if (error instanceof ModelError) return faultIn(error)
    throw error
  }
}

const tryRequest: CompletionRequest = {
  task: 'try',
  version: 1,
  input: null,
  reply: 'text',
  sample: 0,
  prompt: {
    // tasks have a system message, which some templates refuse
    messages: [
      { role: 'system', content: 'You are brief.' },
      { role: 'user', content: 'Reply with: OK' },
    ],
    maxTokens: 16,
  },
}

function faultIn(error: unknown): Fault | undefined {
  const cause = error instanceof ModelError ? error.cause : undefined
  if (!(cause instanceof CallError) || cause.unusable === undefined) return undefined
  return { reason: cause.unusable, message: cause.message, remedy: cause.remedy ?? 'check baseUrl' }
}

/** The message about an unusable model, with its remedy. */
const unusable = ({ name, model, baseUrl = '' }: Provider, { message, remedy }: Fault): string =>
  `${name} "${model}" cannot be used: ${message}${baseUrl === '' ? '' : ` (${baseUrl})`}; ${remedy}`
