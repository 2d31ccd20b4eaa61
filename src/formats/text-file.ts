import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { smallFile } from '../basics/files.ts'
import { messageOf, UserError } from '../errors.ts'
import { fromLatin1 } from '../text/characters.ts'

/** The text of a UTF-8 or marked UTF-16 file, piece by piece; gzip is unpacked. Throws UserError where neither. */
export async function* textOf(file: string): AsyncGenerator<string> {
  try {
    yield* decoded(file)
  } catch (error) {
    throw new UserError(`${file}: cannot be read as UTF-8 text (${messageOf(error)})`, { cause: error })
  }
}

/** Encodings that a text without a byte order mark may be said to have. */
export const encodings = ['windows-1252', 'iso-8859-2', 'windows-1251', 'gb18030', 'shift_jis', 'utf-16le'] as const

/** The whole text of a UTF-8 file, or in the encoding named. Throws UserError where it is neither, or holds NUL. */
export async function wholeText(file: string, encoding?: (typeof encodings)[number]): Promise<string> {
  const refused = (reason: string, cause?: unknown): UserError =>
    new UserError(`${file}: cannot be read as text: ${reason}`, { cause })
  let text: string
  try {
    text = await joined(decoded(file))
  } catch (error) {
    if (!(error instanceof TypeError)) throw refused(messageOf(error), error)
    if (encoding === undefined)
      throw refused(
        'it is not UTF-8; convert it, or name its encoding with the option "encoding", such as windows-1252 for Western European texts',
        error,
      )
    text = await joined(decoded(file, encoding)).catch((other: unknown) => {
      throw refused(`it is neither UTF-8 nor ${encoding}`, other)
    })
  }
  if (encoding === 'windows-1252') text = fromLatin1(text)
  // UTF-16 of Western texts is valid UTF-8 with a NUL in every other place
  if (encoding === 'utf-16le' && text.includes('\0')) text = await joined(decoded(file, encoding))
  if (text.includes('\0'))
    throw refused('it holds NUL characters; is it a binary file, or UTF-16 without a byte order mark?')
  return text
}

async function joined(pieces: AsyncIterable<string>): Promise<string> {
  const all: string[] = []
  for await (const piece of pieces) all.push(piece)
  return all.join('')
}

/** The text in the encoding that its first bytes announce, else the one named. Throws TypeError otherwise. */
async function* decoded(file: string, encoding = 'utf-8'): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined
  for await (const bytes of await bytesOf(file)) {
    decoder ??= new TextDecoder(announced(bytes) ?? encoding, { fatal: true })
    yield decoder.decode(bytes, { stream: true })
  }
  if (decoder) yield decoder.decode()
}

function announced([first, second]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined
}

async function bytesOf(file: string): Promise<AsyncIterable<Uint8Array> | Iterable<Uint8Array>> {
  // asked first: a stream that is open while this fails would end the process with an error of its own
  const { gzip, whole } = await beginning(file)
  if (whole) return [whole]
  const source = createReadStream(file)
  // a failure of either end surfaces where the last stream is read
  return gzip ? pipeline(source, createGunzip(), () => undefined) : source
}

/** Whether a file is packed by gzip, and all of a small one that is not: a stream would take 64 KiB for each. */
async function beginning(file: string): Promise<{ readonly gzip: boolean; readonly whole?: Uint8Array }> {
  const small = smallFile(file, 2 ** 14)
  if (small) return isGzip(small) ? { gzip: true } : { gzip: false, ...(small.length > 0 && { whole: small }) }
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, null, 0)
    return { gzip: isGzip(buffer.subarray(0, bytesRead)) }
  } finally {
    await handle.close()
  }
}

/** By the first two bytes (RFC 1952, 2.3.1). */
const isGzip = (bytes: Buffer): boolean => bytes.length > 1 && bytes.readUInt16BE() === 0x1f8b
