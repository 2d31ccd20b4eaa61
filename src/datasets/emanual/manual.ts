import { z } from 'zod'
import type { Document } from '../../types.ts'
import type { BadRecords } from '../shared/bad-records.ts'
import { jsonRecords } from '../formats/json-records.ts'
import { shape } from '../formats/shape.ts'

const release = 'a manual of eManual (an object of sections with id, title and text lines)'

const manual = z.record(z.string(), z.unknown())
const section = z.object({ id: z.string(), title: z.string(), text: z.array(z.string()) })

/** The section that a path of titles leads to; `whole` is false when its last title stands nowhere, and an outer section is meant. */
export interface Section {
  readonly id: string
  readonly whole: boolean
}

/** The sections of a manual in reading order, each a document: its title, then its lines. Blank ones are left out. */
export async function sectionsOf(file: string, bad: BadRecords): Promise<readonly Document[]> {
  const sections: Document[] = []
  for await (const { line, value } of jsonRecords(file, bad)) {
    const where = `${file}:${line}`
    const read = bad.attempt(() => shape(manual, value, where, release))
    for (const [key, one] of Object.entries(read ?? {})) {
      const found = bad.attempt(() => shape(section, one, where, release, [key]))
      if (!found) continue
      const { id, title, text } = found
      // one of the two manuals repeats the title as its section's first line
      const lines = text[0]?.trim() === title.trim() ? text : [title, ...text]
      const whole = lines.join('\n').trim()
      if (whole !== '') sections.push({ id, text: whole, title: title.trim() })
    }
  }
  return sections
}

/**
 * Follows a path such as `Troubleshooting>Getting Support` through the sections in reading order: each title is looked for behind the one
 * before, so that of sections with one title the right one is met. Signs and case do not count, and a long title may be cut off (in the
 * manual, titles of two lines are). A title that is not there is passed over. Undefined when none is.
 */
export function sectionAt(path: string, sections: readonly Document[]): Section | undefined {
  const titles = sections.map(({ title = '' }) => plain(title))
  let at = -1
  let whole = true
  for (const step of path.split('>').map(plain)) {
    const next = titles.findIndex((title, index) => index > at && isTitle(title, step))
    whole = next >= 0
    if (whole) at = next
  }
  const section = sections[at]
  return section && { id: section.id, whole }
}

const plain = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

const isTitle = (title: string, step: string): boolean =>
  (title === step && step !== '') || (title.length >= cutTitle && step.startsWith(`${title} `))

/** Shortest title that may be a cut one: those in the Smart TV manual have more than 60 signs (our reading). */
const cutTitle = 40
