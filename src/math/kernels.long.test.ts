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
  `kernels.ts holds what wat2wasm makes of kernels.wat${isHere ? '' : ' (the npm registry cannot be had)'}`,
  () => {
    const [source, binary] = [join(import.meta.dirname, 'kernels.wat'), join(folder, 'kernels.wasm')]
    const assembler = join(folder, 'node_modules', 'wabt', 'bin', 'wat2wasm')
    expect(spawnSync(process.execPath, [assembler, source, '-o', binary]).status).toBe(0)
    const text = readFileSync(join(import.meta.dirname, 'kernels.ts'), 'utf8')
    const list = text.slice(text.indexOf('const wasmBase64 = ['))
    const written = Array.from(list.matchAll(/'([^']*)'/g), ([, part]) => part).join('')
    expect(written).toBe(readFileSync(binary).toString('base64'))
  },
)
