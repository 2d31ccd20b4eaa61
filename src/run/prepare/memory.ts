import { totalmem } from 'node:os'
import { getHeapStatistics } from 'node:v8'
import type { Plan } from '../../config/index.ts'
import { UserError } from '../../errors.ts'
import type { CorpusSize } from '../../types.ts'
import type { MethodEntry } from './method-entries.ts'

/** What a run will have in memory at once, in bytes, for its largest corpus. */
interface ExpectedMemory {
  /** Texts and what is kept for each document and chunk. */
  readonly corpus: number
  /** The indexes of the rows whose size is known, by label, the largest first. */
  readonly indexes: readonly (readonly [label: string, bytes: number])[]
  /** Rows whose indexes are not counted. */
  readonly unknown: readonly string[]
}

/** Measured with Node 20 on 100,000 and 1,000,000 documents of 500 bytes: the engine, a document, a chunk. */
const [base, ofDocument, ofChunk] = [150e6, 350, 550]

/** Bytes from which a run says what memory it takes. */
const worthSaying = 1e9

/** Characters of a token, as in English. */
const charactersOfToken = 4

/**
 * What a run takes in memory, as a line, where that is more than 1 GB; undefined below. Throws UserError, with what to
 * do about it, where it is more than this computer or this process can have.
 */
export function noteOnMemory(
  size: Omit<CorpusSize, 'chunks'>,
  { chunks: { by, size: tokens, overlap } }: Pick<Plan, 'chunks'>,
  methods: readonly Pick<MethodEntry, 'row' | 'method' | 'options'>[],
  can: { readonly heap: number; readonly all: number } = available(),
): string | undefined {
  const cuts = by === 'none' ? 0 : Math.floor(size.characters / charactersOfToken / (tokens - overlap))
  const { corpus, indexes, unknown } = expectedMemory({ ...size, chunks: Math.max(size.documents, cuts) }, methods)
  // one row is asked while the index of the next is built
  const all = corpus + indexes.slice(0, 2).reduce((sum, [, bytes]) => sum + bytes, 0)
  const parts = [
    `${inGigabytes(corpus)} texts and chunks`,
    ...indexes.slice(0, 2).map(([label, bytes]) => `${inGigabytes(bytes)} the index of ${label}`),
  ]
  const more = unknown.length > 0 ? `; not counted: the index of ${unknown.slice(0, 5).join(', ')}` : ''
  const said = `the run takes about ${inGigabytes(all)} of memory (${parts.join(', ')}${more})`
  if (all > can.all)
    throw new UserError(
      `${said}, and this computer has ${inGigabytes(can.all)}: take fewer documents, or a computer with more memory`,
    )
  if (corpus > can.heap)
    throw new UserError(
      `${said}, and Node gives texts and chunks ${inGigabytes(can.heap)}: set the environment variable NODE_OPTIONS=--max-old-space-size=${Math.ceil((1.3 * corpus) / 2 ** 20)}, or take fewer documents`,
    )
  return all < worthSaying ? undefined : said
}

function expectedMemory(
  size: CorpusSize,
  methods: readonly Pick<MethodEntry, 'row' | 'method' | 'options'>[],
): ExpectedMemory {
  const counted = methods.map(({ row, method, options }) => [row.method, method.memory?.(size, options)] as const)
  return {
    corpus: base + size.bytes + ofDocument * size.documents + ofChunk * size.chunks,
    indexes: counted
      .flatMap(([label, bytes]) => (bytes === undefined || bytes === 0 ? [] : [[label, bytes] as const]))
      .sort((a, b) => b[1] - a[1]),
    unknown: [...new Set(counted.flatMap(([label, bytes]) => (bytes === undefined ? [label] : [])))],
  }
}

/** Bytes that this process can have: of values of the language, and in all. */
function available() {
  // 0, or more than there is, where nothing limits the process
  const limit = process.constrainedMemory()
  const all = limit > 0 && limit < totalmem() ? limit : totalmem()
  return { heap: getHeapStatistics().heap_size_limit, all }
}

const inGigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`
