import { spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { finished } from 'node:stream/promises'
import { longestData } from '../../basics/plain-data.ts'
import { forgetGroup, knowGroup, signalGroup } from '../../basics/processes.ts'
import { hidden, scrubError } from '../../basics/secrets.ts'
import { cutBytes, messageOf } from '../../errors.ts'
import { plain } from '../../text/characters.ts'

/** A line of a program, as an object. */
export type Reply = Readonly<Record<string, unknown>>

/** A program that runs, asked by lines of JSON, or by messages. */
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
  /** What it runs, for messages. */
  readonly name: string
  readonly folder: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Of a program of ours, which is asked by messages: what it prints is shown, `receive` takes what is no reply. */
  readonly messages?: {
    readonly receive: (said: Reply, send: (message: object) => void) => void
    /** The answer to a line on its fifth file descriptor, for which it waits. */
    readonly atOnce: (line: string) => string
  }
}

interface Waiting {
  resolve(reply: Reply): void
  reject(error: Error): void
}

/** Milliseconds from the request to end to the end that no process can refuse. */
const patience = 2000

/** Starts a program without a shell, as the first process of a group of its own. */
export function startChild(
  [program = '', ...given]: readonly string[],
  { name, folder, env, messages }: ChildPlace,
): Child {
  const child = spawn(program, given, {
    ...{ cwd: folder, env, detached: true },
    ...(messages
      ? { stdio: ['ignore', 2, 'pipe', 'ipc', 'pipe'], serialization: 'advanced' }
      : { stdio: ['pipe', 'pipe', 'pipe'] }),
  })
  const { pid } = child
  if (pid !== undefined) knowGroup(pid, name)
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
    if (child.connected) child.disconnect()
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
    settle(asked, reply)
  }
  const settle = (asked: Waiting, reply: Reply): void => {
    waiting.delete(reply['id'] as number)
    hold()
    const { error } = reply
    if (messages) {
      asked.resolve(reply)
      return
    }
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
  /** A process of ours is waited for only while it is asked something. */
  const hold = (): void => {
    if (!messages) return
    const held = waiting.size > 0 ? 'ref' : 'unref'
    child[held]()
    child.channel?.[held]()
  }
  if (messages) {
    const send = (message: object): void => {
      if (child.connected) child.send(message, () => undefined)
    }
    child.on('message', (said: Reply | null) => {
      if (typeof said !== 'object' || said === null) return
      const asked = typeof said['id'] === 'number' ? waiting.get(said['id']) : undefined
      if (fault === undefined && asked) settle(asked, said)
      else if (fault === undefined) messages.receive(said, send)
    })
    const pipe = child.stdio[4] as Socket
    createInterface({ input: pipe })
      .on('line', (line) => void pipe.write(`${messages.atOnce(line)}\n`))
      // an end of the process is told by its exit
      .on('error', () => undefined)
    pipe.on('error', () => undefined).unref()
    for (const socket of [child.stderr as Socket]) socket.unref()
    hold()
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
        hold()
        if (!messages) child.stdin?.write(`${JSON.stringify(request)}\n`)
        else if (child.connected)
          child.send(request, (error) => void (error && fail(`it cannot be asked: ${messageOf(error)}`)))
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
