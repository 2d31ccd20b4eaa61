import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { z } from 'zod'
import { messageOf } from '../../src/errors.ts'

/** What a script of this folder replies; why there is none, in words, where Python or a package of it is missing. */
export async function askPython<T>(script: string, args: readonly string[], form: z.ZodType<T>): Promise<T | string> {
  const python = process.env['GEMBENCH_PYTHON'] ?? 'python3'
  const second = 'GEMBENCH_PYTHON names another'
  try {
    const file = fileURLToPath(new URL(script, import.meta.url))
    const { stdout } = await promisify(execFile)(python, [file, ...args], { maxBuffer: 2 ** 28 })
    const reply = JSON.parse(stdout) as unknown
    const missing = z.object({ missing: z.string() }).safeParse(reply)
    return missing.success ? `${missing.data.missing} (${python}; ${second})` : form.parse(reply)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return `there is no ${python} (${second})`
    return `${script} ended with an error: ${messageOf(error).trim().split('\n').at(-1) ?? ''}`
  }
}
