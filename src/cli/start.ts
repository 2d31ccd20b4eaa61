import { spawn, type ChildProcess } from 'node:child_process'
import inspector from 'node:inspector'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { signalGroup, tuneEngine } from '../basics/processes.ts'
import {
  functionOf,
  isSupervised,
  reportsFd,
  supervisedBy,
  tooLong,
  type Begun,
  type Group,
  type Known,
  type Report,
  havePlugInsRun,
} from '../run/calls/supervision.ts'
import { exitCodes, interruptedLine } from './ending.ts'
import { printNotice } from './terminal/print.ts'
import { fileURLToPath } from 'node:url'
import { countErrors, listenForErrors } from '../run/calls/call-plug-in.ts'

/** Commands that call plug-ins' functions or compute for long, where nothing but another process can stop them. */
const supervised = [
  'run',
  'work',
  'reproduce',
  'score',
  'verify',
  'query',
  'graph',
  'train',
  'check',
  'validate',
  'plan',
]

/** Whether a command line is one to supervise; not in a debugger, which would see the wrong process. */
export const isToSupervise = ([command = '', ...flags]: readonly string[]): boolean =>
  supervised.includes(command) &&
  !flags.some((flag) => flag === '--help' || flag === '-h') &&
  !isSupervised &&
  inspector.url() === undefined

/** Milliseconds from Ctrl-C to the end of a process that does not end by itself. */
const patience = 900

/** Milliseconds that a call may be late: the process itself says in time that a call has failed, unless it is blocked. */
const lateness = 1500

/**
 * Runs this command line in a process of its own and gives its exit code. A call of a plug-in's function that blocks that process, or ends
 * it, is made to fail: the process is started again, knows of it, and goes on with what is not done.
 */
export async function supervise(file: string): Promise<number> {
  const failed: Record<string, string> = {}
  const withdrawn: Record<string, string> = {}
  const ends = new Map<string, number>()
  let oneAtATime = false
  for (;;) {
    const ended = await superviseOne(file, { failed, withdrawn, oneAtATime })
    if ('code' in ended) return ended.code
    const { calls } = ended
    // where several were under way, which of them it was is known only when they come one at a time
    if (calls.length === 1 || oneAtATime)
      for (const { call, why } of calls) {
        const name = functionOf(call)
        const count = (ends.get(name) ?? 0) + 1
        ends.set(name, count)
        if (count < mostEnds) failed[call.begins] = why
        else withdrawn[name] = `${why}; ${count} of its calls ended the process, so it is not called again`
      }
    oneAtATime ||= calls.length > 1
    const told = new Set(calls.map(({ call, why }) => `${call.who}: ${why}`))
    printNotice(`${[...told].join('; or ')}: the process was ended`)
    if (!process.argv.some((flag) => flag.startsWith('--budget-'))) continue
    printNotice('the command is not begun again, since that would not know what was spent within --budget-…')
    return exitCodes.incomplete
  }
}

/** Processes that one function may end, before it is called no more. */
const mostEnds = 10

/** How a process ended: by itself, or in calls of plug-ins. */
type Ended = { readonly code: number } | { readonly calls: readonly { readonly call: Begun; readonly why: string }[] }

function superviseOne(file: string, known: Known): Promise<Ended> {
  const child = spawn(process.execPath, [...process.execArgv, file, ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc', 'pipe'],
    env: { ...process.env, [supervisedBy]: JSON.stringify(known) },
  })
  const signals = passSignals(child)
  const watch = watchCalls(child)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    const settle = (code: number | null, signal: NodeJS.Signals | null): void => {
      const interrupted = signals.stop() || signal === 'SIGINT'
      const calls = watch.stop()
      // progress bars hide it
      if (code === null && process.stderr.isTTY) process.stderr.write('\u001B[?25h\n')
      if (interrupted && code === null) printNotice(interruptedLine)
      if (interrupted) resolve({ code: code ?? exitCodes.interrupted })
      else if (calls.length > 0)
        resolve({ calls: calls.map((call) => ({ call, why: whyOf(call, watch.isLate(), signal) })) })
      else if (code === null)
        printNotice(`unexpected: the process was ended by ${signal ?? 'no signal'}; finished work is kept`)
      resolve({ code: code ?? exitCodes.unexpected })
    }
    child.on('close', settle)
    // what it has started may live on and hold the pipe
    child.on('exit', () => setTimeout(() => child.stdio[reportsFd]?.destroy(), 500).unref())
  })
}

const whyOf = (call: Begun, isLate: boolean, signal: NodeJS.Signals | null): string =>
  isLate ? tooLong(call) : `${call.doing} ended the process${signal === null ? '' : ` (${signal})`}`

/** Passes the first Ctrl-C on and ends a process that goes on; the second ends it at once. `stop` says whether there was one. */
function passSignals(child: ChildProcess): { readonly stop: () => boolean } {
  let count = 0
  const kill = (): void => void child.kill('SIGKILL')
  const pass = (): void => {
    count++
    if (count > 1) kill()
    else if (child.connected) child.send('interrupt', () => undefined)
    setTimeout(kill, patience).unref()
  }
  process.on('SIGINT', pass).on('SIGTERM', pass)
  return {
    stop() {
      process.off('SIGINT', pass).off('SIGTERM', pass)
      return count > 0
    },
  }
}

/**
 * Hears which calls of plug-ins are under way, and ends a process in which one is late. `stop` ends the programs that the process has left,
 * and gives the calls under way.
 */
function watchCalls(child: ChildProcess): { readonly stop: () => readonly Begun[]; readonly isLate: () => boolean } {
  const groups = new Set<number>()
  const underWay = new Map<string, { readonly call: Begun; readonly timer: NodeJS.Timeout }>()
  let late = false
  const end = (): void => {
    late = true
    child.kill('SIGKILL')
  }
  createInterface({ input: child.stdio[reportsFd] as Readable }).on('line', (line) => {
    const report = reportOf(line)
    if (!report) return
    if ('group' in report) {
      if (report.lives) groups.add(report.group)
      else groups.delete(report.group)
      return
    }
    const key = 'begins' in report ? report.begins : report.ends
    clearTimeout(underWay.get(key)?.timer)
    if ('begins' in report)
      underWay.set(key, { call: report, timer: setTimeout(end, report.seconds * 1000 + lateness) })
    else underWay.delete(key)
  })
  return {
    stop() {
      for (const { timer } of underWay.values()) clearTimeout(timer)
      for (const group of groups) signalGroup(group, 'SIGKILL')
      return [...underWay.values()].map(({ call }) => call)
    },
    isLate: () => late,
  }
}

/** A line on the pipe; undefined for what a plug-in has written there. */
function reportOf(line: string): Report | undefined {
  try {
    const read = JSON.parse(line) as Partial<Begun & Group & { readonly ends: string }>
    const { begins, ends, whose, who, doing, seconds, limit, group = 0, lives } = read
    if (typeof ends === 'string') return { ends }
    // groups 0 and 1 would be this one, and every process
    if (Number.isSafeInteger(group) && group > 1 && typeof lives === 'boolean') return { group, lives }
    const isWhole = [begins, whose, who, doing, limit].every((text) => typeof text === 'string')
    if (!isWhole || typeof seconds !== 'number' || !(seconds > 0 && seconds <= longestSeconds)) return undefined
    return { begins, whose, who, doing, seconds, limit } as Begun
  } catch {
    return undefined
  }
}

/** A timer of more milliseconds than 32 bits hold would end at once. */
const longestSeconds = 2_000_000

/** Runs the command of this process, or a process that runs it and watches over it; `file` is the program. Sets the exit code. */
export async function start(version: string, file: URL): Promise<void> {
  const args = process.argv.slice(2)
  if (isToSupervise(args)) {
    process.exitCode = await supervise(fileURLToPath(file))
    return
  }
  tuneEngine()
  listenForErrors(printNotice)
  const { main } = await import('./main.ts')
  const code = await main(args, version)
  process.exitCode = code
  if (!havePlugInsRun()) return
  // timers or connections of a plug-in would hold the process
  process.stdout.write('', () =>
    process.exit(code === exitCodes.done && countErrors() > 0 ? exitCodes.incomplete : code),
  )
}
