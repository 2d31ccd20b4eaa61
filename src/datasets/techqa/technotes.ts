import { z } from 'zod'
import type { Document } from '../../types.ts'
import type { BadRecords } from '../shared/bad-records.ts'
import { jsonRecords } from '../formats/json-records.ts'
import { shape } from '../formats/shape.ts'

const release = 'the technotes of TechQA (an object keyed by document, with title and text)'

const technotes = z.record(z.string(), z.unknown())
const technote = z.object({ title: z.string(), text: z.string() })

/** A technote as a document, and its text without the title: offsets count in that. */
export interface Technote {
  readonly document: Document
  readonly text: string
}

/**
 * The technotes of a file by their id, in its order: title and text with a blank line between (our reading; RAGBench's copies join them
 * too). Blank ones are left out. Throws UserError naming technote and field of what is malformed.
 */
export async function technotesOf(file: string, bad: BadRecords): Promise<ReadonlyMap<string, Technote>> {
  const notes = new Map<string, Technote>()
  for await (const { line, value } of jsonRecords(file, bad)) {
    const where = `${file}:${line}`
    const read = bad.attempt(() => shape(technotes, value, where, release))
    for (const [id, one] of Object.entries(read ?? {})) {
      const note = bad.attempt(() => shape(technote, one, where, release, [id]))
      if (!note) continue
      const { title, text } = note
      const whole = [title.trim(), text].filter((part) => part.trim() !== '').join('\n\n')
      if (whole !== '') notes.set(id, { document: { id, text: whole, title: title.trim() }, text })
    }
  }
  return notes
}
