import { execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { cli, gembench, expectRefusal } from '../../test-support/cli.ts'
import { tinyProject } from '../../test-support/tiny.ts'

const program = fileURLToPath(new URL('../../test-support/program.js', import.meta.url))

const project = (...mode: readonly string[]) =>
  tinyProject({ methods: [{ use: 'command', label: 'mine', run: [process.execPath, program, ...mode] }] })

test.each(['validate', 'run', 'plan'])(
  '%s reports a missing program in one line, before any question',
  async (name) => {
    const folder = await tinyProject({ methods: [{ use: 'command', label: 'mine', run: ['no-such-program'] }] })
    const message = 'error the method "mine" cannot be run: run: there is no program "no-such-program" on the PATH\n'
    await expectRefusal(gembench(folder, name, '-c', 'tiny.yaml'), message)
    expect(existsSync(join(folder, 'results'))).toBe(false)
  },
)

test('query asks a program and ends its process', async () => {
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

test('Ctrl-C kills a program that ignores signals', async () => {
  const mark = `hung-${process.pid}`
  const folder = await project('hangs-deaf', 'builder', mark)
  const run = spawn(process.execPath, [cli, 'run', '-c', 'tiny.yaml'], { cwd: folder, stdio: 'ignore' })
  const exit = new Promise((resolve) => run.on('exit', resolve))
  await until(() => processes(mark).length === 1)
  run.kill('SIGINT')
  await exit
  await until(() => processes(mark).length === 0)
}, 120_000)
