import { itemAt } from '../basics/collections.ts'
import { percentile } from '../math/statistics/descriptive.ts'
import { cosine } from '../math/vectors.ts'
import { recursiveSplit } from '../text/recursive-split.ts'
import { paragraphs, sentences } from '../text/sentences.ts'
import { type Tokenizer, byTokens, type Span } from '../text/tokens.ts'
import type { ChunksRecord } from '../records.ts'
import type { Chunk, Document } from '../types.ts'
import { packer } from './packer.ts'

/** Chunking options. `path` is for sections, `percentile` for `semantic`. */
export type ChunkOptions = Omit<ChunksRecord, 'tokenizer'>

/**
 * The chunks of one document, in order; none when it is blank. A chunk's text is a slice of the document, with the path
 * of its section in front if requested; ids sort in corpus order. `changes`: offsets where the subject changes, for
 * `semantic`. The config ensures that the overlap is less than the size.
 */
export function chunk(
  document: Document,
  documentIndex: number,
  options: ChunkOptions,
  tokenizer: Tokenizer,
  changes: readonly number[] = [],
): Chunk[] {
  if (document.text.trim() === '') return []
  return splitDocument(document.text, options, tokenizer, changes).map(
    ({ start, end, tokens, path = '' }, position) => {
      const lead = path === '' ? '' : `${path}\n`
      const text = `${lead}${document.text.slice(start, end)}`
      return {
        id: `${padIndex(documentIndex)}:${padIndex(position)}`,
        documentId: document.id,
        position,
        start,
        end,
        text,
        tokens: tokens ?? tokenizer.count(text),
        ...(lead !== '' && { lead: lead.length }),
      }
    },
  )
}

/** Six digits, so that ids of up to a million documents sort as text. */
const padIndex = (index: number) => String(index).padStart(6, '0')

/** `tokens`: of its text, if known. */
type ChunkSpan = Span & { readonly path?: string; readonly tokens?: number }

function splitDocument(
  text: string,
  options: ChunkOptions,
  tokenizer: Tokenizer,
  changes: readonly number[],
): readonly ChunkSpan[] {
  const documentSpan = { start: 0, end: text.length }
  // sentences include the white space before them, as encodings do; paragraphs the white space after them
  const sentenceEnds = () => sentences(text).map(({ end }) => end)
  const paragraphStarts = () => paragraphs(text).map(({ start }) => start)
  switch (options.by) {
    case 'none':
      return [documentSpan]
    case 'tokens': {
      // short texts mostly are one window, and are encoded once
      const tokens = text.length <= 4 * options.size ? tokenizer.count(text) : Infinity
      return tokens <= options.size ? [{ ...documentSpan, tokens }] : byTokens(text, options, tokenizer)
    }
    case 'recursive':
      return recursiveSplit(text, options, (part) => tokenizer.count(part))
    case 'sentences':
      return packer(text, [sentenceEnds()], tokenizer)(documentSpan, options)
    case 'paragraphs':
      return packer(text, [paragraphStarts(), sentenceEnds()], tokenizer)(documentSpan, options)
    case 'semantic': {
      const pack = packer(text, [sentenceEnds()], tokenizer)
      const bounds = [0, ...changes, text.length]
      return bounds.slice(1).flatMap((end, place) => pack({ start: itemAt(bounds, place), end }, options))
    }
    case 'headings':
      return bySections(text, options, tokenizer, [paragraphStarts(), sentenceEnds()])
  }
}

function bySections(
  text: string,
  { size, overlap, path: withPath = false }: ChunkOptions,
  tokenizer: Tokenizer,
  levels: readonly (readonly number[])[],
): readonly ChunkSpan[] {
  const pack = packer(text, levels, tokenizer)
  return sections(text).flatMap((section) => {
    const longest = withPath ? pathAt(section, section.end) : ''
    const pathTokens = longest === '' ? 0 : tokenizer.count(`${longest}\n`)
    if (pathTokens === 0 || pathTokens * 2 > size) return pack(section, { size, overlap })
    const room = size - pathTokens
    return pack(section, { size: room, overlap: Math.min(overlap, room - 1) }).map((span) => ({
      ...span,
      path: pathAt(section, span.start),
    }))
  })
}

/** The texts to embed for `semantic`: each sentence with its neighbours. */
export function sentenceWindows(text: string): readonly string[] {
  const all = sentences(text)
  return all.length < 2
    ? []
    : all.map(({ start, end }, at) => text.slice(all[at - 1]?.start ?? start, all[at + 1]?.end ?? end))
}

/**
 * Where the subject of a text changes, as offsets: after the sentences whose distance to the next, 1 − cosine of their
 * windows' vectors, exceeds the percentile of all such distances (Kamradt, 5 Levels of Text Splitting, level 4; window
 * of 1 sentence to either side). `vectors`: one of each window of `sentenceWindows`.
 */
export function subjectChanges(text: string, vectors: readonly Float32Array[], percent: number): readonly number[] {
  const distances = vectors.slice(1).map((vector, at) => 1 - cosine(itemAt(vectors, at), vector))
  if (distances.length === 0) return []
  const limit = percentile(distances, percent)
  return sentences(text).flatMap(({ end }, at) => ((distances[at] ?? -Infinity) > limit ? [end] : []))
}

/** A heading: text, level from 1 to 6, and the span of its lines. */
interface Heading extends Span {
  readonly text: string
  readonly level: number
}

/** A section with its headings, outermost first. */
interface Section extends Span {
  readonly headings: readonly Heading[]
}

/** The sections of a Markdown text, without gaps. A heading directly below another begins none; code is skipped. */
function sections(text: string): readonly Section[] {
  const result: Section[] = []
  let open: readonly Heading[] = []
  let start = 0
  let bodyFrom = 0
  const close = (end: number) => {
    if (end > start) result.push({ start, end, headings: open })
    start = end
  }
  for (const heading of headingsOf(text)) {
    if (text.slice(bodyFrom, heading.start).trim() !== '') close(heading.start)
    open = [...open.filter(({ level }) => level < heading.level), heading]
    bodyFrom = heading.end
  }
  close(text.length)
  return result
}

const pathAt = ({ headings }: Section, start: number) =>
  headings
    .filter((heading) => heading.start < start)
    .map((heading) => heading.text)
    .join(' > ')

/** The headings in order. */
function headingsOf(text: string): readonly Heading[] {
  const headings: Heading[] = []
  let fence: string | undefined
  let before: Span | undefined
  const front = /^---\n[\s\S]*?\n---(?:\n|$)/.exec(text)?.[0].length ?? 0
  for (const { 0: line, index } of text.slice(front).matchAll(/[^\n]+/g)) {
    const start = front + index
    const end = front + index + line.length
    const [, mark] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? []
    if (fence !== undefined) {
      if (mark?.startsWith(fence) && line.trim() === mark) fence = undefined
      before = undefined
    } else if (mark !== undefined) {
      fence = mark
      before = undefined
    } else {
      const [, signs = '', words = ''] = /^ {0,3}(#{1,6})[ \t]+(\S.*?)(?:[ \t]+#+)?[ \t]*$/.exec(line) ?? []
      const [, underline] = /^ {0,3}(=|-)\1+[ \t]*$/.exec(line) ?? []
      if (signs !== '') headings.push({ text: words, level: signs.length, start, end })
      else if (underline !== undefined && before && before.end + 1 === start) {
        const title = text.slice(before.start, before.end).trim()
        headings.push({ text: title, level: underline === '=' ? 1 : 2, start: before.start, end })
      }
      const isPlain = signs === '' && underline === undefined && /^ {0,3}[^\s>|*+-]/.test(line)
      before = isPlain ? { start, end } : undefined
    }
  }
  return headings
}
