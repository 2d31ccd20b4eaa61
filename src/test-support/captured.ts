import { afterEach, beforeEach, vi } from 'vitest'

/** What this process prints during a test, from its beginning on. Call it once in a test file. */
export function captured(): { out: string; err: string } {
  const said = { out: '', err: '' }
  beforeEach(() => {
    Object.assign(said, { out: '', err: '' })
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((said.out += String(text)), true))
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => ((said.err += String(text)), true))
  })
  afterEach(() => void vi.restoreAllMocks())
  return said
}
