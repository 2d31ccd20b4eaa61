import type { Evidence } from '../../types.ts'

/** What one speaker said without a break. */
export interface Said {
  readonly speaker: string
  readonly content: string
}

/** A transcript as one text, and where each turn stands in it; a turn without words is left out and has no place. */
export interface Transcript {
  readonly text: string
  readonly places: readonly ({ readonly start: number; readonly end: number } | undefined)[]
  readonly markers: number
  readonly silent: number
}

/** Signs for sounds and breaks: `{vocalsound}`, `{disfmarker}`, `{pause}`, `{gap}`, `{comment}`, `{nonvocalsound}`. */
const marker = /\{\s*\w+\s*\}/g

/** Letters that are said one by one: `L_C_D_`. */
const spelled = /(?<![A-Za-z_])(?:[A-Za-z]_)+/g

/** Turns as a line of the speaker and a line of what was said, a blank line between each two; `clean` removes markers and joins spelled letters. */
export function transcriptOf(said: readonly Said[], clean: boolean): Transcript {
  let text = ''
  let [markers, silent] = [0, 0]
  const places = said.map(({ speaker, content }) => {
    if (clean) markers += content.match(marker)?.length ?? 0
    const words = clean ? cleaned(content) : content.trim()
    if (words === '') {
      silent++
      return undefined
    }
    if (text !== '') text += '\n\n'
    const start = text.length
    text += `${speaker.trim()}\n${words}`
    return { start, end: text.length }
  })
  return { text, places, markers, silent }
}

const cleaned = (content: string): string =>
  content
    .replace(marker, ' ')
    .replace(spelled, (letters) => letters.replaceAll('_', ''))
    .replace(/\s+/g, ' ')
    .trim()

/** The turns of a span, from the first up to and including the last, as evidence in a document; undefined where none of them has words. */
export function evidenceOf(
  { text, places }: Transcript,
  documentId: string,
  [first, last]: readonly [number, number],
): Evidence | undefined {
  const found = places.slice(first, last + 1).flatMap((place) => place ?? [])
  const [start, end] = [found[0]?.start, found.at(-1)?.end]
  return start === undefined ? undefined : { documentId, text: text.slice(start, end), start }
}
