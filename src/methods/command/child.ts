import { spawn } from 'node:child_process'
import { finished } from 'node:stream/promises'
import { isObject, longestData } from '../../basics/plain-data.ts'
import { forgetGroup, knowGroup, signalGroup } from '../../basics/processes.ts'
import { mask, scrubError, cutBytes, messageOf } from '../../errors.ts'
import { plain } from '../../text/characters.ts'

/** A line of output of a program, as an object. */
export type Reply = Readonly<Record<string, unknown>>

/** A running program that answers requests as lines of JSON. */
export interface Child {
  /** The reply to a request. Throws Error if the program reports an error or the process fails. */
  readonly ask: (request: object & { readonly id: number }, signal: AbortSignal | undefined) => Promise<Reply>
  /** An error about a reply, with the last lines of the error stream. */
  readonly blame: (problem: string) => Error
  /** Whether the process has ended and a request failed because of it. */
  readonly hasEnded: () => boolean
  /** Ends the process group. */
  readonly end: () => Promise<void>
}

interface PendingRequest {
  resolve(reply: Reply): void
  reject(error: Error): void
}

/** Milliseconds from SIGTERM to SIGKILL, and to read the last output after the exit. */
const [killDelay, drainDelay] = [2000, 500]

/** Starts a program without a shell, in its own process group. */
export function startChild(
  [program = '', ...args]: readonly string[],
  { folder, env }: { readonly folder: string; readonly env: Readonly<Record<string, string>> },
): Child {
  const child = spawn(program, args, { cwd: folder, env, detached: true, stdio: 'pipe' })
  const { pid, stdin, stdout, stderr } = child
  if (pid !== undefined) knowGroup(pid)
  const pendingRequests = new Map<number, PendingRequest>()
  const errors = lastLines(stderr)
  const key = env['OPENAI_API_KEY'] ?? mask
  const clean = (text: string): string => text.replaceAll(key, mask)
  const blame = (problem: string): Error => new Error(clean(`${problem}${errors()}`))

  const exitReason = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`the process cannot be started: ${messageOf(error)}`))
    child.once('exit', (code, signal) => {
      const why = `the process ended ${signal === null ? `with exit code ${String(code)}` : `by ${signal}`}`
      // read the last output, but not forever: a grandchild may hold the pipes open
      const timer = setTimeout(() => resolve(why), drainDelay)
      void Promise.allSettled([finished(stdout), finished(stderr)]).then(() => {
        clearTimeout(timer)
        resolve(why)
      })
    })
  })
  const endNow = async (): Promise<void> => {
    stdin.destroy()
    if (pid !== undefined) signalGroup(pid, 'SIGTERM')
    const timer = setTimeout(() => pid !== undefined && signalGroup(pid, 'SIGKILL'), killDelay)
    await exitReason
    clearTimeout(timer)
    if (pid === undefined) return
    signalGroup(pid, 'SIGKILL')
    forgetGroup(pid)
  }
  let ending: Promise<void> | undefined
  const end = (): Promise<void> => (ending ??= endNow())

  let fault: string | undefined
  let hasFailedRequest = false
  /** Ends the process and rejects pending requests. */
  const fail = async (why: string): Promise<void> => {
    if (fault !== undefined) return
    fault = why
    hasFailedRequest = pendingRequests.size > 0
    await end()
    const error = blame(why)
    for (const request of pendingRequests.values()) request.reject(error)
    pendingRequests.clear()
  }
  void exitReason.then(fail)

  const take = (line: string): void => {
    if (fault !== undefined || line.trim() === '') return
    const reply = objectOf(line)
    const excerpt = cutBytes(line, 200)
    if (!reply) return void fail(`the process printed a line that is no JSON object: "${excerpt}"`)
    const { id, error } = reply
    const request = typeof id === 'number' ? pendingRequests.get(id) : undefined
    if (!request) return void fail(`the process printed a reply to no request under way: "${excerpt}"`)
    pendingRequests.delete(Number(id))
    if (error === undefined) request.resolve(reply)
    else if (typeof error === 'string' && error.trim() !== '') request.reject(new Error(clean(error)))
    else request.reject(new Error('the process replied with an error without words'))
  }
  let rest = ''
  stdout.setEncoding('utf8').on('data', (text: string) => {
    const last = text.lastIndexOf('\n')
    if (last >= 0) `${rest}${text.slice(0, last)}`.split('\n').forEach(take)
    rest = last < 0 ? rest + text : text.slice(last + 1)
    if (rest.length > longestData) void fail(`the process printed a line of more than ${longestData} characters`)
  })
  // the exit event reports the end of the process
  stdin.on('error', () => undefined)

  return {
    blame,
    end,
    hasEnded: () => fault !== undefined && hasFailedRequest,
    async ask(request, signal) {
      if (fault !== undefined) {
        hasFailedRequest = true
        throw blame(fault)
      }
      const stop = (): void => {
        const reason: unknown = signal?.reason
        if (reason instanceof Error && reason.name === 'Error') reason.message += clean(errors())
        void fail(messageOf(reason))
      }
      const reply = new Promise<Reply>((resolve, reject) => pendingRequests.set(request.id, { resolve, reject }))
      if (signal?.aborted) stop()
      signal?.addEventListener('abort', stop)
      stdin.write(`${JSON.stringify(request)}\n`)
      return reply.finally(() => signal?.removeEventListener('abort', stop))
    },
  }
}

function objectOf(line: string): Reply | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

const [maxLines, maxLineBytes, maxCharacters] = [5, 300, 64_000]

/** Returns ` (its error stream ends: …)` with at most five lines, without keys; empty without output. */
function lastLines(stream: NodeJS.ReadableStream): () => string {
  let tail = ''
  stream.setEncoding('utf8').on('data', (text: string) => {
    tail = (tail + text).slice(-maxCharacters)
  })
  return () => {
    const lines = scrubError(tail)
      .split('\n')
      .map((line) => plain(line).trim())
      .filter((line) => line !== '')
      .slice(-maxLines)
      .map((line) => cutBytes(line, maxLineBytes))
    return lines.length === 0 ? '' : ` (its error stream ends: ${lines.join(' | ')})`
  }
}
