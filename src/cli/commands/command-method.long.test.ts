import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { cli, gembench } from '../../test-support/cli.ts'
import { tinyProject } from '../../test-support/tiny.ts'

const program = fileURLToPath(new URL('../../test-support/program.js', import.meta.url))

const project = (...mode: readonly string[]) =>
  tinyProject({ methods: [{ use: 'command', label: 'mine', run: [process.execPath, program, ...mode] }] })

test.each(['validate', 'run', 'plan'])(
  '%s finds a program that is missing, in one line and before anything is asked',
  async (name) => {
    const folder = await tinyProject({ methods: [{ use: 'command', label: 'mine', run: ['no-such-program'] }] })
    const { code, err } = await gembench(folder, name, '-c', 'tiny.yaml')
    expect(err.trim()).toMatch(
      /^error the method "mine" cannot be run: run: there is no program "no-such-program" on the PATH$/,
    )
    expect(code).toBe(2)
    expect(existsSync(join(folder, 'results'))).toBe(false)
  },
)

test('query asks a program and ends it', async () => {
  const folder = await project('good', 'by-query')
  const { out, code } = await gembench(folder, 'query', '-c', 'tiny.yaml', '--method', 'mine', 'Who built the mill?')
  expect(code).toBe(0)
  expect(out).toContain('Tamsin Vale')
  expect(processes('by-query')).toEqual([])
})

const lines = (): readonly string[] => execFileSync('ps', ['-eo', 'pid,ppid,args'], { encoding: 'utf8' }).split('\n')

/** Ids of the processes of the program with that last argument. */
const processes = (mark: string): readonly number[] =>
  lines().flatMap((line) =>
    line.includes(`${process.execPath} ${program}`) && line.trimEnd().endsWith(` ${mark}`)
      ? [Number.parseInt(line, 10)]
      : [],
  )

async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; tries < 200 && !isSo(); tries++) await sleep(100)
  expect(isSo()).toBe(true)
}

/** The process in which a supervisor runs the command. */
function workerOf({ pid: supervisor }: ChildProcess): number {
  const workers = lines().flatMap((line) => {
    const [, pid, parent] = /^\s*(\d+)\s+(\d+)\s/.exec(line) ?? []
    return Number(parent) === supervisor ? [Number(pid)] : []
  })
  const [worker, ...others] = workers
  if (worker === undefined || others.length > 0) throw new Error(`the supervisor has ${workers.length} processes`)
  return worker
}

test.each(['Ctrl-C', 'kill of the worker', 'kill of the supervisor'])(
  'a program that hangs, and ignores every signal, does not outlive %s',
  async (how) => {
    const mark = `hung-${process.pid}-${how.replace(/\W/g, '-')}`
    const folder = await project('hangs-deaf', 'builder', mark)
    const run = spawn(process.execPath, [cli, 'run', '-c', 'tiny.yaml'], { cwd: folder, stdio: 'ignore' })
    const ended = new Promise((resolve) => run.on('exit', resolve))
    await until(() => processes(mark).length === 1)
    if (how === 'kill of the worker') process.kill(workerOf(run), 'SIGKILL')
    else run.kill(how === 'Ctrl-C' ? 'SIGINT' : 'SIGKILL')
    // where the worker alone was ended, the run goes on without that question
    await ended
    await until(() => processes(mark).length === 0)
  },
  120_000,
)
