import { randomInt } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf, ModelError, UserError } from '../../errors.ts'

type Attempt<T> = (signal: AbortSignal) => Promise<T>

/** Makes a call, whatever it takes. */
export type Send = <T>(attempt: Attempt<T>) => Promise<T>

/**
 * An attempt that failed outside. `retryable`: the same call may succeed later. `waitSeconds`: when, as the server
 * says. `unusable`: why no other call of this model can succeed either, such as `401`, and `remedy`: what to do then.
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
  /** Ends attempts and waits at once; what is thrown is its reason. */
  readonly signal: AbortSignal
  /** Upper bound of the first wait, doubled with every further one. */
  readonly firstWaitSeconds?: number
}

/** A server that names a longer wait than this is asked again all the same. */
const longestWaitSeconds = 120
const longestBackoffSeconds = 30

/** Repeats attempts that failed for a passing reason, after a wait; what still fails becomes a ModelError. */
export function retry({ retries, timeoutSeconds, signal, firstWaitSeconds = 1 }: RetryOptions): Send {
  // every call under way listens to the run's end, which Node would take for a leak
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

/** The attempt's result, or its end when time is up or the run ends, even where the provider takes no notice. */
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
    const settled = () => {
      clearTimeout(timer)
      run.removeEventListener('abort', stop)
    }
    // async, so that a provider that throws before its first await fails like one that throws later
    void (async () => attempt(controller.signal))().then(resolve, reject).finally(settled)
  })
}

/** Providers throw CallErrors, or any error with `retryable`; what is meant for people passes through. */
function callError(error: unknown): CallError {
  if (error instanceof ModelError || error instanceof UserError) throw error
  if (error instanceof CallError) return error
  const retryable = error instanceof Error && 'retryable' in error && error.retryable === true
  return new CallError('server', messageOf(error), { retryable, cause: error })
}

function givenUp(failure: CallError, attempts: number): ModelError {
  const tried = attempts > 1 ? ` (${attempts} attempts)` : ''
  return new ModelError(failure.kind, `${failure.message}${tried}`, { cause: failure })
}

/** Exponential with full jitter, which comes from the system: it keeps processes apart and reaches no result. */
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

/** Seconds that a server asks to wait (`retry-after-ms`, `Retry-After`); undefined where it asks nothing. */
export function retryAfterSeconds(headers: Headers): number | undefined {
  const milliseconds = Number.parseFloat(headers.get('retry-after-ms') ?? '')
  if (milliseconds >= 0) return milliseconds / 1000
  const asked = headers.get('retry-after')?.trim() ?? ''
  if (/^\d+(\.\d+)?$/.test(asked)) return Number(asked)
  // a date names its month; without that, Date.parse takes almost any number for a year
  if (!/[a-z]{3}/i.test(asked)) return undefined
  // measured by the server's own clock where it tells the time
  const now = Date.parse(headers.get('date') ?? '') || performance.timeOrigin + performance.now()
  const seconds = (Date.parse(asked) - now) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}
