import { basename } from 'node:path'
import { z } from 'zod'
import type { Document } from '../../types.ts'
import type { BadRecords } from '../shared/bad-records.ts'
import { jsonRecords } from '../formats/json-records.ts'
import { shape, words } from '../formats/shape.ts'

/** A film: its number in the data, and its document with the place of each of its four sections. */
export interface Film {
  readonly number: number
  readonly name: string
  readonly document: Document
  readonly sections: readonly { readonly text: string; readonly start: number }[]
}

const release = 'a film of CMU DoG (wikiDocumentIdx and the sections "0" to "3")'

const said = z.union([z.string(), z.array(z.string())]).optional()
const schema = z.object({
  wikiDocumentIdx: z.int(),
  '0': z.object({
    ...{ movieName: words, introduction: words },
    ...{
      year: z.union([said, z.int()]),
      director: said,
      genre: said,
      cast: said,
      rating: said,
      critical_response: said,
    },
  }),
  ...{ '1': z.string(), '2': z.string(), '3': z.string() },
})

/** The films of a copy, by their files. */
export async function filmsOf(files: readonly string[], bad: BadRecords): Promise<readonly Film[]> {
  const films: Film[] = []
  for (const file of files)
    for await (const { line, value } of jsonRecords(file, bad)) {
      const read = bad.attempt(() => shape(schema, value, `${file}:${line}`, release))
      if (read) films.push(filmOf(basename(file, '.json'), read))
    }
  return films
}

/** All four sections as one text, a blank line between them; the fields of the first one a line (our reading). */
function filmOf(id: string, { wikiDocumentIdx: number, '0': first, ...rest }: z.output<typeof schema>): Film {
  const { movieName, year, director, genre, cast, introduction, rating, critical_response } = first
  const facts = [
    ...[`Film: ${movieName}`, line('Year', year), line('Director', director), line('Genre', genre), line('Cast', cast)],
    ...[`Introduction: ${introduction.trim()}`, line('Rating', rating), line('Critical response', critical_response)],
  ].filter((fact) => fact !== '')
  let start = 0
  const sections = [facts.join('\n'), rest['1'].trim(), rest['2'].trim(), rest['3'].trim()].map((text) => {
    const section = { text, start }
    if (text !== '') start += text.length + 2
    return section
  })
  const text = sections.flatMap((section) => (section.text === '' ? [] : [section.text])).join('\n\n')
  return { number, name: movieName, document: { id, text, title: movieName }, sections }
}

function line(name: string, value: string | number | readonly string[] | undefined): string {
  const text = (Array.isArray(value) ? value : [value ?? '']).map((part) => String(part).trim()).join('; ')
  return text === '' ? '' : `${name}: ${text}`
}
