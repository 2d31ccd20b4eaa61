import { ModelError, UserError } from '../../errors.ts'
import type { CompletionRequest, Provider } from '../provider.ts'
import type { ModelClient } from './client.ts'
import { CallError } from './retry.ts'

/** A model in its role, and what it is asked for there. */
export interface Tried {
  readonly role: string
  readonly ability: 'complete' | 'embed' | 'rerank'
  readonly client: ModelClient
}

/** First calls of a model that fail for one reason, before it is taken to be unusable. */
const mostAlike = 3

/** The same of calls one after the other of a model that was usable, each repeated as the config says. */
const mostAlikeLater = 20

/** The first calls of one command: a model that cannot be used ends it there, instead of failing every call. */
export function firstCalls() {
  let tell: ((why: UserError) => void) | undefined
  let models: readonly Tried[] = []
  let tried: Promise<unknown> | undefined
  const stop = (why: UserError): UserError => {
    tell?.(why)
    tell = undefined
    return why
  }
  const tryAll = (): Promise<unknown> =>
    Promise.all(
      models.map(async (model) => {
        const why = await tryOnce(model)
        if (!why) return
        const said = unusable(model.client.provider, why)
        throw stop(new UserError(`models.${model.role}: ${said}; nothing was asked`))
      }),
    )
  return {
    /** Puts the calls of a provider under watch; a call is given what throws where the model was found unusable. */
    guard(provider: Provider): <T>(call: (throwIfEnded: () => void) => Promise<T>) => Promise<T> {
      let succeeded = false
      let reasons: string[] = []
      let ended: UserError | undefined
      const throwIfEnded = (): void => {
        if (ended) throw ended
      }
      return async (call) => {
        if (tell) tried ??= tryAll()
        await tried
        try {
          const made = await call(throwIfEnded)
          succeeded = true
          reasons = []
          return made
        } catch (error) {
          // the model cannot be loaded
          if (error instanceof UserError) throw stop(error)
          const why = reasonOf(error)
          if (!why) throw error
          reasons.push(why.reason)
          if (reasons.length >= (succeeded ? mostAlikeLater : mostAlike) && new Set(reasons).size === 1)
            ended = stop(
              new UserError(
                `${unusable(provider, why)}; the ${succeeded ? 'last' : 'first'} ${reasons.length} calls failed so; finished work is kept`,
              ),
            )
          throw error
        }
      }
    },
    /** From now on each of `wanted` behind a server is tried once first; `stopped` is told of one of no use. */
    begin(wanted: readonly Tried[], stopped: (why: UserError) => void): void {
      models = wanted.filter(({ client }) => client.provider.baseUrl !== undefined)
      tell = stopped
    },
  }
}

/** Why no call of a model can succeed. */
interface Why {
  readonly reason: string
  readonly message: string
  readonly remedy: string
}

/** Asks a model for next to nothing; gives why it cannot be used, where no other call could succeed either. */
async function tryOnce({ ability, client }: Tried): Promise<Why | undefined> {
  const { complete, embed, rerank } = client.provider
  try {
    if (ability === 'complete' && complete)
      await client.probe({ promptTokens: 16, completionTokens: 16 }, (signal) => complete(tryRequest, signal))
    else if (ability === 'embed' && embed)
      await client.probe({ embeddedTokens: 1 }, async (signal) => {
        const { tokens = 0 } = await embed(['try'], 'query', signal)
        return { embeddedTokens: tokens }
      })
    else if (ability === 'rerank' && rerank)
      await client.probe({ promptTokens: 2 }, async (signal) => {
        const { tokens = 0 } = await rerank('try', ['try'], signal)
        return { promptTokens: tokens }
      })
    return undefined
  } catch (error) {
    if (error instanceof ModelError) return reasonOf(error)
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
    // with a system message, as tasks have one: some templates refuse it
    messages: [
      { role: 'system', content: 'You are brief.' },
      { role: 'user', content: 'Reply with: OK' },
    ],
    maxTokens: 16,
  },
}

function reasonOf(error: unknown): Why | undefined {
  const cause = error instanceof ModelError ? error.cause : undefined
  if (!(cause instanceof CallError) || cause.unusable === undefined) return undefined
  return { reason: cause.unusable, message: cause.message, remedy: cause.remedy ?? 'check baseUrl' }
}

/** What is said of a model that cannot be used, and what to do. */
const unusable = ({ name, model, baseUrl = '' }: Provider, { message, remedy }: Why): string =>
  `${name} "${model}" cannot be used: ${message}${baseUrl === '' ? '' : ` (${baseUrl})`}; ${remedy}`
