import { afterEach, beforeEach, vi } from 'vitest'

/** What this process prints during a test, from its beginning on. Call it once in a test file. */
export function captureOutput(): { out: string; err: string } {
  const output = { out: '', err: '' }
  beforeEach(() => {
    Object.assign(output, { out: '', err: '' })
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((output.out += String(text)), true))
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => ((output.err += String(text)), true))
  })
  afterEach(() => void vi.restoreAllMocks())
  return output
}
