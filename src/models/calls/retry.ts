import { randomInt } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf, ModelError, UserError } from '../../errors.ts'

type Attempt<T> = (signal: AbortSignal) => Promise<T>

/** Makes a call, with retries. */
export type Send = <T>(attempt: Attempt<T>) => Promise<T>

/**
 * A failed attempt. `retryable`: the same call may succeed later. `waitSeconds`: the wait that the server requests.
 * `unusable`: why every call of this model fails, such as `401`; `remedy`: what the user can do.
 */
export class CallError extends Error {
  override readonly name = 'CallError'
  readonly kind: 'server' | 'network' | 'timeout'
  readonly retryable: boolean
  readonly waitSeconds: number | undefined
  readonly unusable: string | undefined
  readonly remedy: string | undefined
  constructor(
    kind: CallError['kind'],
    message: string,
    options: ErrorOptions & {
      retryable: boolean
      waitSeconds?: number | undefined
      unusable?: string | undefined
      remedy?: string | undefined
    },
  ) {
    super(message, options)
    this.kind = kind
    this.retryable = options.retryable
    this.waitSeconds = options.waitSeconds
    this.unusable = options.unusable
    this.remedy = options.remedy
  }
}

export interface RetryOptions {
  readonly retries: number
  readonly timeoutSeconds: number
  /** Aborts attempts and waits; its reason is thrown. */
  readonly signal: AbortSignal
  /** Upper bound of the first wait; doubled for each further wait. */
  readonly firstWaitSeconds?: number
}

/** Upper bound of a wait that a server requests. */
const longestWaitSeconds = 120
const longestBackoffSeconds = 30

/** Repeats attempts after temporary failures; throws ModelError after the last one. */
export function retry({ retries, timeoutSeconds, signal, firstWaitSeconds = 1 }: RetryOptions): Send {
  // every call in flight listens to the run's signal, which Node would report as a leak
  setMaxListeners(0, signal)
  return async (attempt) => {
    for (let failed = 0; ; failed++) {
      signal.throwIfAborted()
      try {
        return await inTime(attempt, timeoutSeconds, signal)
      } catch (error) {
        signal.throwIfAborted()
        const failure = callError(error)
        if (!failure.retryable || failed === retries) throw givenUp(failure, failed + 1)
        await wait(failure.waitSeconds ?? backoff(firstWaitSeconds, failed), signal)
      }
    }
  }
}

/** Rejects at the time limit or the end of the run, even if the provider ignores its signal. */
function inTime<T>(attempt: Attempt<T>, seconds: number, run: AbortSignal): Promise<T> {
  const controller = new AbortController()
  return new Promise<T>((resolve, reject) => {
    const end = (reason: Error) => {
      controller.abort(reason)
      reject(reason)
    }
    const stop = () => end(run.reason as Error)
    const late = () => end(new CallError('timeout', `no reply within ${seconds} s`, { retryable: true }))
    const timer = setTimeout(late, seconds * 1000)
    run.addEventListener('abort', stop, { once: true })
    const cleanUp = () => {
      clearTimeout(timer)
      run.removeEventListener('abort', stop)
    }
    // async: a synchronous throw of the provider rejects, too
    void (async () => attempt(controller.signal))().then(resolve, reject).finally(cleanUp)
  })
}

/** Converts a provider's error, which may carry `retryable`; rethrows ModelError and UserError. */
function callError(error: unknown): CallError {
  if (error instanceof ModelError || error instanceof UserError) throw error
  if (error instanceof CallError) return error
  const retryable = error instanceof Error && 'retryable' in error && error.retryable === true
  return new CallError('server', messageOf(error), { retryable, cause: error })
}

function givenUp(failure: CallError, attempts: number): ModelError {
  const attemptNote = attempts > 1 ? ` (${attempts} attempts)` : ''
  return new ModelError(failure.kind, `${failure.message}${attemptNote}`, { cause: failure })
}

/** Exponential backoff with full jitter, from the system's random numbers: it affects no result. */
function backoff(firstSeconds: number, failed: number): number {
  return Math.min(longestBackoffSeconds, firstSeconds * 2 ** failed) * (randomInt(2 ** 32) / 2 ** 32)
}

async function wait(seconds: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(Math.min(seconds, longestWaitSeconds) * 1000, undefined, { signal })
  } catch {
    signal.throwIfAborted()
  }
}

/** Seconds that a server requests to wait (`retry-after-ms`, `Retry-After`); undefined without such a header. */
export function retryAfterSeconds(headers: Headers): number | undefined {
  const milliseconds = Number.parseFloat(headers.get('retry-after-ms') ?? '')
  if (milliseconds >= 0) return milliseconds / 1000
  const retryAfter = headers.get('retry-after')?.trim() ?? ''
  if (/^\d+(\.\d+)?$/.test(retryAfter)) return Number(retryAfter)
  // requires a month: Date.parse takes almost any number for a year
  if (!/[a-z]{3}/i.test(retryAfter)) return undefined
  // relative to the server's clock if it sends the date
  const now = Date.parse(headers.get('date') ?? '') || performance.timeOrigin + performance.now()
  const seconds = (Date.parse(retryAfter) - now) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}
