import { firstBytes } from '../basics/files.ts'
import { failureOf, messageOf, UserError } from '../errors.ts'
import { fromLatin1 } from '../text/characters.ts'
import { blocks, unzip } from '../text/jsonl.ts'

/** The text of a UTF-8 file, or UTF-16 with a byte order mark, in pieces; unpacks gzip. Throws UserError for others. */
export async function* textOf(file: string): AsyncGenerator<string> {
  try {
    yield* decodePieces(file)
  } catch (error) {
    throw failureOf(`${file}: cannot be read as UTF-8 text`, error)
  }
}

/** Encodings to declare for texts without a byte order mark. */
export const encodings = ['windows-1252', 'iso-8859-2', 'windows-1251', 'gb18030', 'shift_jis', 'utf-16le'] as const

/** The text of a file in UTF-8 or the given encoding. Throws UserError for other encodings and NUL characters. */
export async function wholeText(file: string, encoding?: (typeof encodings)[number]): Promise<string> {
  const refusal = (reason: string, cause?: unknown) =>
    new UserError(`${file}: cannot be read as text: ${reason}`, { cause })
  let text: string
  try {
    text = await concatenate(decodePieces(file))
  } catch (error) {
    if (error instanceof UserError) throw error
    if (!(error instanceof TypeError)) throw refusal(messageOf(error), error)
    if (encoding === undefined)
      throw refusal(
        'it is not UTF-8; convert it, or name its encoding with the option "encoding", such as windows-1252 for Western European texts',
        error,
      )
    text = await concatenate(decodePieces(file, encoding)).catch((cause: unknown) => {
      throw refusal(`it is neither UTF-8 nor ${encoding}`, cause)
    })
  }
  if (encoding === 'windows-1252') text = fromLatin1(text)
  // Western UTF-16 is valid UTF-8 with a NUL at every other byte
  if (encoding === 'utf-16le' && text.includes('\0')) text = await concatenate(decodePieces(file, encoding))
  if (text.includes('\0'))
    throw refusal('it holds NUL characters; is it a binary file, or UTF-16 without a byte order mark?')
  return text
}

async function concatenate(pieces: AsyncIterable<string>): Promise<string> {
  const all: string[] = []
  for await (const piece of pieces) all.push(piece)
  return all.join('')
}

async function* decodePieces(file: string, encoding = 'utf-8'): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined
  const bytesOfFile = isGzip(await firstBytes(file, 2)) ? unzip(file) : blocks(file)
  for await (const bytes of bytesOfFile) {
    decoder ??= new TextDecoder(encodingOfMark(bytes) ?? encoding, { fatal: true })
    yield decoder.decode(bytes, { stream: true })
  }
  if (decoder) yield decoder.decode()
}

function encodingOfMark([first, second]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined
}

const isGzip = (bytes: Buffer) => bytes.length > 1 && bytes.readUInt16BE() === 0x1f8b
