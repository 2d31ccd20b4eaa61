import { spawn } from 'node:child_process'
import { finished } from 'node:stream/promises'
import { isObject, longestData } from '../../basics/plain-data.ts'
import { forgetGroup, knowGroup, signalGroup } from '../../basics/processes.ts'
import { mask, scrubError } from '../../basics/secrets.ts'
import { cutBytes, messageOf } from '../../errors.ts'
import { plain } from '../../text/characters.ts'

/** A line of a program, as an object. */
export type Reply = Readonly<Record<string, unknown>>

/** A program that runs, asked by lines of JSON. */
export interface Child {
  /** The reply to a request. Throws Error where it says that it failed, or the process fails. */
  readonly ask: (request: object & { readonly id: number }, signal: AbortSignal | undefined) => Promise<Reply>
  /** What is wrong with a reply, with the last lines of its error stream. */
  readonly blame: (what: string) => Error
  /** Whether it has ended and failed a request. */
  readonly ended: () => boolean
  /** Ends it with all that it started. */
  readonly end: () => Promise<void>
}

interface Waiting {
  resolve(reply: Reply): void
  reject(error: Error): void
}

/** Milliseconds from the request to end to the end that no process can refuse, and for what it wrote last. */
const [patience, lastWords] = [2000, 500]

/** Starts a program without a shell, as the first process of a group of its own. */
export function startChild(
  [program = '', ...args]: readonly string[],
  { folder, env }: { readonly folder: string; readonly env: Readonly<Record<string, string>> },
): Child {
  const child = spawn(program, args, { cwd: folder, env, detached: true, stdio: 'pipe' })
  const { pid, stdin, stdout, stderr } = child
  if (pid !== undefined) knowGroup(pid)
  const waiting = new Map<number, Waiting>()
  const errors = lastLines(stderr)
  const key = env['OPENAI_API_KEY'] ?? mask
  const clean = (text: string): string => text.replaceAll(key, mask)
  const blame = (what: string): Error => new Error(clean(`${what}${errors()}`))

  const gone = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`the process cannot be started: ${messageOf(error)}`))
    child.once('exit', (code, signal) => {
      const why = `the process ended ${signal === null ? `with exit code ${String(code)}` : `by ${signal}`}`
      // what it wrote last is still to be read; what it started may hold the pipes open
      const timer = setTimeout(() => resolve(why), lastWords)
      void Promise.allSettled([finished(stdout), finished(stderr)]).then(() => {
        clearTimeout(timer)
        resolve(why)
      })
    })
  })
  const endNow = async (): Promise<void> => {
    stdin.destroy()
    if (pid !== undefined) signalGroup(pid, 'SIGTERM')
    const timer = setTimeout(() => pid !== undefined && signalGroup(pid, 'SIGKILL'), patience)
    await gone
    clearTimeout(timer)
    if (pid === undefined) return
    signalGroup(pid, 'SIGKILL')
    forgetGroup(pid)
  }
  let ending: Promise<void> | undefined
  const end = (): Promise<void> => (ending ??= endNow())

  let fault: string | undefined
  let hasFailedRequest = false
  /** Fails what is under way, once the process has ended and said all. */
  const fail = async (why: string): Promise<void> => {
    if (fault !== undefined) return
    fault = why
    hasFailedRequest = waiting.size > 0
    await end()
    const error = blame(why)
    for (const request of waiting.values()) request.reject(error)
    waiting.clear()
  }
  void gone.then(fail)

  const take = (line: string): void => {
    if (fault !== undefined || line.trim() === '') return
    const reply = objectOf(line)
    const shown = cutBytes(line, 200)
    if (!reply) return void fail(`the process printed a line that is no JSON object: "${shown}"`)
    const { id, error } = reply
    const request = typeof id === 'number' ? waiting.get(id) : undefined
    if (!request) return void fail(`the process printed a reply to no request under way: "${shown}"`)
    waiting.delete(Number(id))
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
  // an end of the process is reported by its exit
  stdin.on('error', () => undefined)

  return {
    blame,
    end,
    ended: () => fault !== undefined && hasFailedRequest,
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
      const reply = new Promise<Reply>((resolve, reject) => waiting.set(request.id, { resolve, reject }))
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

const [mostLines, longestLine, mostCharacters] = [5, 300, 64_000]

/** Gives ` (its error stream ends: …)` with at most five lines, without keys; empty where nothing was written. */
function lastLines(stream: NodeJS.ReadableStream): () => string {
  let tail = ''
  stream.setEncoding('utf8').on('data', (text: string) => {
    tail = (tail + text).slice(-mostCharacters)
  })
  return () => {
    const lines = scrubError(tail)
      .split('\n')
      .map((line) => plain(line).trim())
      .filter((line) => line !== '')
      .slice(-mostLines)
      .map((line) => cutBytes(line, longestLine))
    return lines.length === 0 ? '' : ` (its error stream ends: ${lines.join(' | ')})`
  }
}
