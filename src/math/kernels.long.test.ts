import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'kernels-'))

afterAll(() => {
  rmSync(folder, { recursive: true })
})

const place = ['--prefix', folder, '--no-audit', '--no-fund']
const isHere =
  spawnSync('npm', ['install', ...place, 'wabt@1.0.36'], { stdio: 'ignore', timeout: 120_000 }).status === 0

test.skipIf(!isHere)(
  `kernels.wasm is what wat2wasm makes of kernels.wat${isHere ? '' : ' (the npm registry cannot be had)'}`,
  () => {
    const [source, binary] = [join(import.meta.dirname, 'kernels.wat'), join(folder, 'kernels.wasm')]
    const assembler = join(folder, 'node_modules', 'wabt', 'bin', 'wat2wasm')
    expect(spawnSync(process.execPath, [assembler, source, '-o', binary]).status).toBe(0)
    expect(readFileSync(join(import.meta.dirname, 'kernels.wasm'))).toEqual(readFileSync(binary))
  },
)
