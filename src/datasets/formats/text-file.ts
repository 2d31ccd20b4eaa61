import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { messageOf, UserError } from '../../errors.ts'

/** The text of a UTF-8 file, piece by piece; gzip is unpacked, a byte order mark dropped. Throws UserError when it cannot be read. */
export async function* textOf(file: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const bytes of await bytesOf(file)) yield decoder.decode(bytes, { stream: true })
    yield decoder.decode()
  } catch (error) {
    throw new UserError(`${file}: cannot be read as UTF-8 text (${messageOf(error)})`, { cause: error })
  }
}

async function bytesOf(file: string): Promise<AsyncIterable<Uint8Array>> {
  // asked first: a stream that is open while this fails would end the process with an error of its own
  const gzip = await isGzip(file)
  const source = createReadStream(file)
  // a failure of either end surfaces where the last stream is read
  return gzip ? pipeline(source, createGunzip(), () => undefined) : source
}

async function isGzip(file: string): Promise<boolean> {
  const handle = await open(file)
  try {
    const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0)
    return buffer.readUInt16BE() === 0x1f8b // RFC 1952, 2.3.1
  } finally {
    await handle.close()
  }
}
