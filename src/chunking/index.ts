import { itemAt } from '../basics/collections.ts'
import { UserError } from '../errors.ts'
import { percentile } from '../math/statistics/descriptive.ts'
import { cosine } from '../math/vectors.ts'
import { recursiveSplit } from '../text/recursive-split.ts'
import { paragraphs, sentences } from '../text/sentences.ts'
import { type Tokenizer, byTokens, type Span } from '../text/tokens.ts'
import type { ChunksRecord } from '../records.ts'
import type { Chunk, Document } from '../types.ts'
import { packer } from './packed.ts'
import { pathAt, sections } from './sections.ts'

/** How documents are cut. `path` is for sections, `percentile` for subjects. */
export type ChunkOptions = Omit<ChunksRecord, 'tokenizer'>

/**
 * The chunks of one document, in order; none when it is blank. A text is a slice of the document, after the path of its
 * section where asked for; `tokens` is the tokenizer's count of it, and ids sort as the corpus does. `changes`: where
 * the subject changes, for `semantic`. Throws UserError on sizes that cannot be.
 */
export function chunk(
  document: Document,
  documentIndex: number,
  options: ChunkOptions,
  tokenizer: Tokenizer,
  changes: readonly number[] = [],
): Chunk[] {
  check(options)
  if (document.text.trim() === '') return []
  return cut(document.text, options, tokenizer, changes).map(({ start, end, tokens, path = '' }, position) => {
    const lead = path === '' ? '' : `${path}\n`
    const text = `${lead}${document.text.slice(start, end)}`
    return {
      id: `${fixed(documentIndex)}:${fixed(position)}`,
      documentId: document.id,
      position,
      start,
      end,
      text,
      tokens: tokens ?? tokenizer.count(text),
      ...(lead !== '' && { lead: lead.length }),
    }
  })
}

function check({ size, overlap }: ChunkOptions): void {
  if (!Number.isInteger(size) || size < 1)
    throw new UserError(`chunks.size is ${size}: it must be a whole number of tokens, 1 or more`)
  if (!Number.isInteger(overlap) || overlap < 0 || overlap >= size)
    throw new UserError(
      `chunks.overlap is ${overlap}: it must be a whole number from 0 to less than chunks.size (${size})`,
    )
}

/** Six digits, so that ids sort by their text in corpora of up to a million documents. */
const fixed = (index: number): string => String(index).padStart(6, '0')

/** `tokens`: of its text, where they were counted. */
type Cut = Span & { readonly path?: string; readonly tokens?: number }

function cut(text: string, options: ChunkOptions, tokenizer: Tokenizer, changes: readonly number[]): readonly Cut[] {
  const whole = { start: 0, end: text.length }
  // the white space before a sentence is part of it, as an encoding takes it; that after a paragraph is part of that
  const sentenceEnds = (): readonly number[] => sentences(text).map(({ end }) => end)
  const paragraphStarts = (): readonly number[] => paragraphs(text).map(({ start }) => start)
  switch (options.by) {
    case 'none':
      return [whole]
    case 'tokens': {
      // most texts of so many characters are one window, and are encoded once
      const tokens = text.length <= 4 * options.size ? tokenizer.count(text) : Infinity
      return tokens <= options.size ? [{ ...whole, tokens }] : byTokens(text, options, tokenizer)
    }
    case 'recursive':
      return recursiveSplit(text, options, (part) => tokenizer.count(part))
    case 'sentences':
      return packer(text, [sentenceEnds()], tokenizer)(whole, options)
    case 'paragraphs':
      return packer(text, [paragraphStarts(), sentenceEnds()], tokenizer)(whole, options)
    case 'semantic': {
      const pack = packer(text, [sentenceEnds()], tokenizer)
      const bounds = [0, ...changes, text.length]
      return bounds.slice(1).flatMap((end, place) => pack({ start: itemAt(bounds, place), end }, options))
    }
    case 'headings':
      return bySections(text, options, tokenizer, [paragraphStarts(), sentenceEnds()])
  }
}

/** Sections by themselves, those longer than `size` in chunks of paragraphs; a path takes half of `size` at most. */
function bySections(
  text: string,
  { size, overlap, path: withPath = false }: ChunkOptions,
  tokenizer: Tokenizer,
  levels: readonly (readonly number[])[],
): readonly Cut[] {
  const pack = packer(text, levels, tokenizer)
  return sections(text).flatMap((section) => {
    const longest = withPath ? pathAt(section, section.end) : ''
    const taken = longest === '' ? 0 : tokenizer.count(`${longest}\n`)
    if (taken === 0 || taken * 2 > size) return pack(section, { size, overlap })
    const room = size - taken
    return pack(section, { size: room, overlap: Math.min(overlap, room - 1) }).map((span) => ({
      ...span,
      path: pathAt(section, span.start),
    }))
  })
}

/** What is embedded of a text to find where its subject changes: each sentence with the one before and after it. */
export function sentenceWindows(text: string): readonly string[] {
  const all = sentences(text)
  return all.length < 2
    ? []
    : all.map(({ start, end }, at) => text.slice(all[at - 1]?.start ?? start, all[at + 1]?.end ?? end))
}

/**
 * Where the subject of a text changes, as offsets: after the sentences whose distance to the next, 1 − cosine of their
 * windows' vectors, lies above the percentile of all such distances of the text (Kamradt, 5 Levels of Text Splitting,
 * level 4; window of 1 sentence to either side). `vectors`: one of each window of `sentenceWindows`.
 */
export function subjectChanges(text: string, vectors: readonly Float32Array[], percent: number): readonly number[] {
  const distances = vectors.slice(1).map((vector, at) => 1 - cosine(itemAt(vectors, at), vector))
  if (distances.length === 0) return []
  const limit = percentile(distances, percent)
  return sentences(text).flatMap(({ end }, at) => ((distances[at] ?? -Infinity) > limit ? [end] : []))
}
