import { spawn } from 'node:child_process'
import { once } from '../../basics/memoise.ts'
import { isObject, longestData } from '../../basics/plain-data.ts'
import { forgetGroup, knowGroup, signalGroup } from '../../basics/processes.ts'
import { scrubError, cutBytes, messageOf } from '../../errors.ts'
import { plain } from '../../text/characters.ts'
import { jsonIn } from '../../text/json.ts'

/** A line of output of a program, as an object. */
type Reply = Readonly<Record<string, unknown>>

interface PendingRequest {
  resolve(reply: Reply): void
  reject(error: Error): void
}

/** Milliseconds from SIGTERM to SIGKILL, and to read the last output after the exit. */
const killDelay = 2000
const drainDelay = 500

/** Starts a program without a shell, in its own process group, that answers requests as lines of JSON. */
export function startChild(
  [program = '', ...args]: readonly string[],
  { folder, env }: { readonly folder: string; readonly env: NodeJS.ProcessEnv },
) {
  const child = spawn(program, args, { cwd: folder, env, detached: true, stdio: 'pipe' })
  const { pid, stdin, stdout, stderr } = child
  if (pid !== undefined) knowGroup(pid)
  const pendingRequests = new Map<number, PendingRequest>()
  const errors = lastLines(stderr)
  /** An error with the last lines of the error stream. */
  const blame = (problem: string): Error => new Error(`${problem}${errors()}`)

  const exitReason = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`the process cannot be started: ${messageOf(error)}`))
    child.once('exit', (code, signal) => {
      const reason = `the process ended ${signal === null ? `with exit code ${String(code)}` : `by ${signal}`}`
      child.once('close', () => resolve(reason))
      // a grandchild may hold the pipes open
      setTimeout(() => resolve(reason), drainDelay)
    })
  })
  /** Ends the process group. */
  const end = once(async (): Promise<void> => {
    stdin.destroy()
    if (pid === undefined) return
    signalGroup(pid, 'SIGTERM')
    const timer = setTimeout(() => signalGroup(pid, 'SIGKILL'), killDelay)
    await exitReason
    clearTimeout(timer)
    signalGroup(pid, 'SIGKILL')
    forgetGroup(pid)
  })

  let fault: string | undefined
  let hasFailedRequest = false
  /** Ends the process and rejects pending requests. */
  const fail = async (why: string): Promise<void> => {
    if (fault !== undefined) return
    fault = why
    hasFailedRequest = pendingRequests.size > 0
    await end()
    for (const request of pendingRequests.values()) request.reject(blame(why))
    pendingRequests.clear()
  }
  void exitReason.then(fail)

  const take = (line: string): void => {
    if (fault !== undefined || line.trim() === '') return
    const reply = jsonIn(line)
    const excerpt = cutBytes(line, 200)
    if (!isObject(reply)) return void fail(`the process printed a line that is no JSON object: "${excerpt}"`)
    const request = pendingRequests.get(Number(reply['id']))
    if (!request) return void fail(`the process printed a reply to no request under way: "${excerpt}"`)
    pendingRequests.delete(Number(reply['id']))
    const { error } = reply
    if (error === undefined) request.resolve(reply)
    else request.reject(new Error(typeof error === 'string' ? error : JSON.stringify(error)))
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
    end,
    /** Whether the process has ended and a request failed because of it. */
    hasEnded: () => fault !== undefined && hasFailedRequest,
    /** The reply to a request. Throws Error if the program reports an error or the process fails. */
    async ask(request: object & { readonly id: number }, signal: AbortSignal | undefined): Promise<Reply> {
      if (fault !== undefined) {
        hasFailedRequest = true
        throw blame(fault)
      }
      const stop = (): void => {
        const reason: unknown = signal?.reason
        if (reason instanceof Error && reason.name === 'Error') reason.message += errors()
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

const maxLines = 5
const maxLineBytes = 300
const maxCharacters = 64_000

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
    const ending = lines.filter(Boolean).slice(-maxLines)
    const excerpts = ending.map((line) => cutBytes(line, maxLineBytes))
    return excerpts.length === 0 ? '' : ` (its error stream ends: ${excerpts.join(' | ')})`
  }
}
