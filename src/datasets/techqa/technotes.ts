import { z } from 'zod'
import type { Document } from '../types.ts'
import { jsonRecords } from './json-records.ts'
import { shape } from './shape.ts'

const release = 'the technotes of TechQA (an object keyed by document, with title and text)'

const technotes = z.record(z.string(), z.object({ title: z.string(), text: z.string() }))

/** A technote as a document, and its text without the title: offsets count in that. */
export interface Technote {
  readonly document: Document
  readonly text: string
}

/**
 * The technotes of a file by their id, in its order: title and text with a blank line between (our reading; RAGBench's copies join them
 * too). Blank ones are left out. Throws UserError naming technote and field of what is malformed.
 */
export async function technotesOf(file: string): Promise<ReadonlyMap<string, Technote>> {
  const notes = new Map<string, Technote>()
  for await (const { line, value } of jsonRecords(file))
    for (const [id, { title, text }] of Object.entries(shape(technotes, value, `${file}:${line}`, release))) {
      const whole = [title.trim(), text].filter((part) => part.trim() !== '').join('\n\n')
      if (whole !== '') notes.set(id, { document: { id, text: whole, title: title.trim() }, text })
    }
  return notes
}
