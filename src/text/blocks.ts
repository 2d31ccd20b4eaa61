import { open } from 'node:fs/promises'

/** Enough for a disk to read in one go. */
const blockBytes = 256 * 1024

/** The bytes of a file, part after part, all in the same memory: each part holds until the next is asked for. Throws what the file system throws. */
export async function* blocks(file: string): AsyncGenerator<Buffer> {
  const handle = await open(file)
  try {
    const block = Buffer.allocUnsafeSlow(blockBytes)
    for (let read; (read = (await handle.read(block)).bytesRead) > 0;) yield block.subarray(0, read)
  } finally {
    await handle.close()
  }
}
