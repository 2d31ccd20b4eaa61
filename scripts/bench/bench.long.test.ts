import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

test('every part of the benchmark starts, at its smallest size, and none ends with an error', async () => {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const given = ['--import', 'tsx', 'scripts/bench/index.ts', '--small']
  const { code, said } = await new Promise<{ code: number | string | null | undefined; said: string }>((resolve) =>
    execFile(process.execPath, given, { cwd: root, maxBuffer: 2 ** 24 }, (error, out, err) =>
      resolve({ code: error ? error.code : 0, said: `${out}\n${err}` }),
    ),
  )
  expect(said).not.toContain('ended with an error')
  expect(code, said).toBe(0)
})
