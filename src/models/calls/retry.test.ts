import { expect, test } from 'vitest'
import { ModelError, UserError } from '../../errors.ts'
import { CallError, retry, retryAfterSeconds, type RetryOptions } from './retry.ts'

const busy = (waitSeconds?: number) => new CallError('server', '429 busy', { retryable: true, waitSeconds })
const never = () => new AbortController().signal
const quick = (more: Partial<RetryOptions> = {}) =>
  retry({ retries: 3, timeoutSeconds: 60, signal: never(), firstWaitSeconds: 0, ...more })

/** An attempt that fails with each of the errors in turn, and then gives its number. */
function failing(...errors: unknown[]) {
  let attempts = 0
  const attempt = async () => {
    const error = errors[attempts++]
    if (error !== undefined) throw error as Error
    return attempts
  }
  return { attempt, attempts: () => attempts }
}

test('repeats a temporary failure, and any error with retryable: true, until it succeeds', async () => {
  const later = Object.assign(new Error('later'), { retryable: true })
  expect(await quick()(failing(busy(), busy(0.01), later).attempt)).toBe(4)
})

test('stops after the configured attempts and reports their number', async () => {
  const { attempt, attempts } = failing(busy(), busy(), busy(), busy(), busy())
  const failure = quick()(attempt)
  await expect(failure).rejects.toBeInstanceOf(ModelError)
  await expect(failure).rejects.toMatchObject({ kind: 'server', message: '429 busy (4 attempts)' })
  expect(attempts()).toBe(4)
})

test.each([
  ['a lasting failure', new CallError('server', '401 no', { retryable: false }), { kind: 'server', message: '401 no' }],
  ['a refusal', new ModelError('refused', 'no'), { kind: 'refused' }],
  ['a mistake of a person', new UserError('no file'), { name: 'UserError' }],
  ['whatever else a provider throws', new TypeError('x is undefined'), { kind: 'server', message: 'x is undefined' }],
  ['what is no error at all', 'words', { kind: 'server', message: 'words' }],
])('does not repeat %s', async (_name, error, expected) => {
  const { attempt, attempts } = failing(error)
  await expect(quick()(attempt)).rejects.toMatchObject(expected)
  expect(attempts()).toBe(1)
})

test('aborts and repeats an attempt after its time limit, even if it ignores the signal', async () => {
  const isEnded: boolean[] = []
  const send = quick({ timeoutSeconds: 0.02, retries: 1 })
  const failure = send((signal) => {
    signal.addEventListener('abort', () => isEnded.push(true))
    return new Promise(() => undefined)
  })
  await expect(failure).rejects.toMatchObject({ kind: 'timeout', message: 'no reply within 0.02 s (2 attempts)' })
  expect(isEnded).toEqual([true, true])
})

test('ends attempts and waits when the run ends', async () => {
  const run = new AbortController()
  const send = quick({ signal: run.signal })
  const { attempt, attempts } = failing(busy(1000), busy(1000))
  const reason = new Error('stopped')
  setTimeout(() => run.abort(reason), 20)
  const outcomes = await Promise.allSettled([send(attempt), send(() => new Promise(() => undefined))])
  expect(outcomes).toEqual([1, 2].map(() => ({ status: 'rejected', reason })))
  await expect(send(attempt)).rejects.toThrow('stopped')
  expect(attempts()).toBe(1)
})

test('treats a synchronous throw like any failure', async () => {
  const attempt = (): Promise<never> => {
    throw new CallError('network', 'no socket', { retryable: false })
  }
  await expect(quick()(attempt)).rejects.toMatchObject({ kind: 'network', message: 'no socket' })
})

test.each([
  [{ 'retry-after': '7' }, 7],
  [{ 'retry-after': ' 0.05 ' }, 0.05],
  [{ 'retry-after-ms': '1500', 'retry-after': '9' }, 1.5],
  [{ 'retry-after': 'Wed, 21 Oct 2015 07:28:30 GMT', date: 'Wed, 21 Oct 2015 07:28:00 GMT' }, 30],
  [{ 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT', date: 'Wed, 21 Oct 2015 07:28:30 GMT' }, 0],
  [{ 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }, 0],
  [{ 'retry-after': 'soon' }, undefined],
  [{ 'retry-after': '-3' }, undefined],
  [{ 'retry-after': '' }, undefined],
  [{}, undefined],
])('%j asks to wait %s seconds', (headers, seconds) => {
  expect(retryAfterSeconds(new Headers(headers as Record<string, string>))).toBe(seconds)
})
