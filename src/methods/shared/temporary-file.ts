import { closeSync, ftruncateSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A temporary file, unlinked at once where the system allows it, so that it disappears with the process. */
export function temporaryFile() {
  const folder = mkdtempSync(join(tmpdir(), 'gembench-vectors-'))
  const descriptor = openSync(join(folder, 'rows'), 'w+')
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  if (process.platform !== 'win32') remove()
  return {
    write(part: Float32Array, at: number): void {
      const bytes = new Uint8Array(part.buffer)
      for (let offset = 0; offset < bytes.length;)
        offset += writeSync(descriptor, bytes, offset, bytes.length - offset, at + offset)
    },
    read(into: Float32Array, at: number): void {
      const read = readSync(descriptor, into, 0, into.byteLength, at)
      if (read < into.byteLength) throw new Error(`only ${read} of ${into.byteLength} bytes of a vector could be read`)
    },
    close(): void {
      ftruncateSync(descriptor)
      closeSync(descriptor)
      remove()
    },
  }
}
