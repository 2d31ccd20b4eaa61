import { spawn, type ChildProcess } from 'node:child_process'
import inspector from 'node:inspector'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { type Group, signalGroup, tuneEngine } from '../basics/processes.ts'
import { isSupervised, reportsFd, supervisedBy } from '../run/calls/supervision.ts'
import { exitCodes, interruptedLine } from './ending.ts'
import { printNotice } from './terminal/print.ts'
import { fileURLToPath } from 'node:url'

/** Commands that compute for long, where nothing but another process can stop them. */
const supervised = ['run', 'work', 'reproduce', 'score', 'verify', 'query', 'graph', 'train', 'check']

/** Whether a command line is one to supervise; not in a debugger, which would see the wrong process. */
const isToSupervise = ([command = '', ...flags]: readonly string[]): boolean =>
  supervised.includes(command) &&
  !flags.some((flag) => flag === '--help' || flag === '-h') &&
  !isSupervised &&
  inspector.url() === undefined

/** Milliseconds from Ctrl-C to the end of a process that does not end by itself. */
const patience = 900

/** Runs this command line in a process of its own, and gives its exit code. */
function supervise(file: string): Promise<number> {
  const child = spawn(process.execPath, [...process.execArgv, file, ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc', 'pipe'],
    env: { ...process.env, [supervisedBy]: 'yes' },
  })
  const signals = passSignals(child)
  const groups = groupsOf(child)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      const interrupted = signals.stop() || signal === 'SIGINT'
      // programs that it has left
      for (const group of groups.keys()) signalGroup(group, 'SIGKILL')
      const names = [...new Set(groups.values())]
      // progress bars hide it
      if (code === null && process.stderr.isTTY) process.stderr.write('\u001B[?25h\n')
      if (code === null)
        printNotice(
          interrupted
            ? interruptedLine
            : `unexpected: the process was ended by ${signal ?? 'no signal'}${names.length > 0 ? ` while ${names.join(', ')} ran` : ''}; finished work is kept`,
        )
      resolve(code ?? (interrupted ? exitCodes.interrupted : exitCodes.unexpected))
    })
    // what it has started may live on and hold the pipe
    child.on('exit', () => setTimeout(() => child.stdio[reportsFd]?.destroy(), 500).unref())
  })
}

/** Passes the first Ctrl-C on; the second ends the process at once. `stop` says whether there was one. */
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

/** The groups of processes that live, as the process says on its pipe. */
function groupsOf(child: ChildProcess): ReadonlyMap<number, string> {
  const groups = new Map<number, string>()
  createInterface({ input: child.stdio[reportsFd] as Readable }).on('line', (line) => {
    const { group, lives, name } = JSON.parse(line) as Group
    // groups 0 and 1 would be this one, and every process
    if (group <= 1) return
    if (lives) groups.set(group, name)
    else groups.delete(group)
  })
  return groups
}

/** Runs the command of this process, or a process that runs it; `file` is the program. Sets the exit code. */
export async function start(version: string, file: URL): Promise<void> {
  const args = process.argv.slice(2)
  if (isToSupervise(args)) {
    process.exitCode = await supervise(fileURLToPath(file))
    return
  }
  tuneEngine()
  // the process that watches needs none of it
  const { countErrors, listenForErrors } = await import('../run/calls/call-plug-in.ts')
  listenForErrors(printNotice)
  const { main } = await import('./main.ts')
  const code = await main(args, version)
  process.exitCode = code === exitCodes.done && countErrors() > 0 ? exitCodes.incomplete : code
}
