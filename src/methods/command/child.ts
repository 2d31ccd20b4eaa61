import { spawn, type ChildProcess } from 'node:child_process'
import { finished } from 'node:stream/promises'
import { longestData } from '../../basics/plain-data.ts'
import { forgetGroup, knowGroup, signalGroup } from '../../basics/processes.ts'
import { hidden, scrubError } from '../../basics/secrets.ts'
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

interface ChildPlace {
  readonly folder: string
  readonly env: Readonly<Record<string, string | undefined>>
}

interface Waiting {
  resolve(reply: Reply): void
  reject(error: Error): void
}

/** Milliseconds from the request to end to the end that no process can refuse. */
const patience = 2000

/** Starts a program without a shell, as the first process of a group of its own. */
export function startChild([program = '', ...given]: readonly string[], { folder, env }: ChildPlace): Child {
  const child: ChildProcess = spawn(program, given, { cwd: folder, env, detached: true, stdio: 'pipe' })
  const { pid } = child
  if (pid !== undefined) knowGroup(pid)
  const waiting = new Map<number, Waiting>()
  const stderr = lastLines()
  const key = env['OPENAI_API_KEY'] ?? hidden
  const clean = (text: string): string => text.replaceAll(key, hidden)
  const said = (): string => clean(stderr.said())
  const blame = (what: string): Error => new Error(`${clean(what)}${said()}`)
  let fault: string | undefined
  let told = false
  const gone = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`the process cannot be started: ${messageOf(error)}`))
    child.once('exit', (code, signal) => {
      const why = `the process ended ${signal === null ? `with exit code ${String(code)}` : `by ${signal}`}`
      // what it wrote last is still to be read; what it started may hold the pipes open
      const timer = setTimeout(() => resolve(why), 500)
      const streams = [child.stdout, child.stderr].flatMap((stream) => (stream ? [finished(stream)] : []))
      void Promise.allSettled(streams).then(() => {
        clearTimeout(timer)
        resolve(why)
      })
    })
  })
  let ending: Promise<void> | undefined
  const end = (): Promise<void> => (ending ??= endNow())
  const endNow = async (): Promise<void> => {
    child.stdin?.destroy()
    if (pid !== undefined) signalGroup(pid, 'SIGTERM')
    const timer = setTimeout(() => pid !== undefined && signalGroup(pid, 'SIGKILL'), patience)
    await gone
    clearTimeout(timer)
    if (pid === undefined) return
    signalGroup(pid, 'SIGKILL')
    forgetGroup(pid)
  }
  /** Fails what is under way, once the process has ended and said all. */
  const fail = async (why: string): Promise<void> => {
    if (fault !== undefined) return
    fault = why
    told = waiting.size > 0
    await end()
    const error = blame(why)
    for (const asked of waiting.values()) asked.reject(error)
    waiting.clear()
  }
  void gone.then(fail)

  const take = (line: string): void => {
    if (fault !== undefined || line.trim() === '') return
    const reply = objectOf(line)
    if (!reply) return void fail(`the process printed a line that is no JSON object: "${cutBytes(line, 200)}"`)
    const asked = typeof reply['id'] === 'number' ? waiting.get(reply['id']) : undefined
    if (!asked) return void fail(`the process printed a reply to no request under way: "${cutBytes(line, 200)}"`)
    waiting.delete(reply['id'] as number)
    const { error } = reply
    if (error === undefined) asked.resolve(reply)
    else
      asked.reject(
        new Error(
          typeof error === 'string' && error.trim() !== ''
            ? clean(error)
            : 'the process replied with an error without words',
        ),
      )
  }
  let rest = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    const last = text.lastIndexOf('\n')
    if (last >= 0) `${rest}${text.slice(0, last)}`.split('\n').forEach(take)
    rest = last < 0 ? rest + text : text.slice(last + 1)
    if (rest.length > longestData) void fail(`the process printed a line of more than ${longestData} characters`)
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => stderr.add(text))
  // an end of the process is told by its exit
  child.stdin?.on('error', () => undefined)

  return {
    blame,
    end,
    ended: () => fault !== undefined && told,
    ask: (request, signal) =>
      new Promise((resolve, reject) => {
        if (fault !== undefined) {
          told = true
          reject(blame(fault))
          return
        }
        const stop = (): void => {
          const reason: unknown = signal?.reason
          if (reason instanceof Error && reason.name === 'Error') reason.message += said()
          void fail(messageOf(reason))
        }
        const over = (): void => signal?.removeEventListener('abort', stop)
        waiting.set(request.id, {
          resolve(reply) {
            over()
            resolve(reply)
          },
          reject(error) {
            over()
            reject(error)
          },
        })
        if (signal?.aborted) stop()
        signal?.addEventListener('abort', stop)
        child.stdin?.write(`${JSON.stringify(request)}\n`)
      }),
  }
}

function objectOf(line: string): Reply | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Reply) : undefined
  } catch {
    return undefined
  }
}

/** The end of what a program writes to its error stream. */
interface LastLines {
  add(text: string): void
  /** ` (its error stream ends: …)` with at most five lines, without keys; empty where it wrote nothing. */
  said(): string
}

const mostLines = 5
const longestLine = 300
const mostKept = 64_000

/** Nothing written yet. */
function lastLines(): LastLines {
  let kept = ''
  return {
    add: (text) => void (kept = (kept + text).slice(-mostKept)),
    said() {
      const lines = scrubError(kept)
        .split('\n')
        .map((line) => plain(line).trim())
        .filter((line) => line !== '')
        .slice(-mostLines)
        .map((line) => cutBytes(line, longestLine))
      return lines.length === 0 ? '' : ` (its error stream ends: ${lines.join(' | ')})`
    },
  }
}
