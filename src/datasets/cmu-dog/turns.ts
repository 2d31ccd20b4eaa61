import { z } from 'zod'
import { sha256 } from '../../text/hash.ts'
import type { Evidence, Question, Turn } from '../../types.ts'
import { shape } from '../formats/shape.ts'
import type { Film } from './film.ts'

const release = 'a conversation of CMU DoG (history, whoSawDoc, wikiDocumentIdx)'

const schema = z.object({
  wikiDocumentIdx: z.int(),
  whoSawDoc: z.array(z.string()),
  history: z.array(z.object({ text: z.string(), uid: z.string(), docIdx: z.int().optional() })),
  rating: z.int().optional(),
})

/** A conversation as its file has it. */
export type Conversation = z.output<typeof schema>

/** A value read from JSON as a conversation. Throws UserError saying what is wrong `where`. */
export const conversationOf = (value: unknown, where: string): Conversation => shape(schema, value, where, release)

/** What was said without a break by one speaker, and the sections that this speaker was shown meanwhile. */
interface Utterance extends Turn {
  readonly sections: readonly number[]
}

/** Which replies are asked for, and how much of what was said before them is shown. */
export interface TurnOptions {
  readonly unit: 'conversation' | 'turn'
  readonly seed: number
  readonly history: number | null
}

/**
 * The replies of the participant who saw the document (of two, user2) as questions: the message before is the text, what was said before
 * that the history, both as people wrote them. No reply where nobody saw it or that participant said nothing.
 */
export function turnsOf(
  { whoSawDoc, history, rating }: Conversation,
  { name, split }: { readonly name: string; readonly split: string },
  film: Film,
  options: TurnOptions,
): readonly Question[] {
  const replies = whoSawDoc.includes('user2') ? 'user2' : whoSawDoc.find((who) => who === 'user1')
  const said = utterances(history)
  const places = said.flatMap(({ speaker }, place) => (speaker === replies ? [place] : []))
  const asked = options.unit === 'turn' ? places : oneOf(places, `${options.seed} ${name}`)
  return asked.flatMap((place): Question[] => {
    const reply = said[place]
    if (!reply) return []
    const before = said.slice(0, place)
    const message = before.at(-1)
    const earlier = before.slice(0, -1)
    const shown = earlier.slice(Math.max(0, earlier.length - (options.history ?? Infinity)))
    return [
      {
        id: `${name}:${place + 1}`,
        text: message?.text ?? `Let us talk about the film ${film.name}.`,
        reference: { kind: 'turn', accepted: reply.text },
        evidence: reply.sections.flatMap((section) => sectionOf(film, section)),
        cluster: film.document.id,
        history: shown.map(({ speaker, text }) => ({ speaker, text })),
        roles: { asks: message?.speaker ?? (replies === 'user2' ? 'user1' : 'user2'), replies: reply.speaker },
        tags: [`split:${split}`, ...(rating === undefined ? [] : [`rating:${rating}`])],
      },
    ]
  })
}

/** Messages of one speaker in a row, joined by a space; blank ones are left out. */
function utterances(history: Conversation['history']): readonly Utterance[] {
  const said: Utterance[] = []
  for (const { uid: speaker, text, docIdx } of history) {
    if (text.trim() === '') continue
    const last = said.at(-1)
    const before = last?.speaker === speaker ? said.pop() : undefined
    const sections = [...new Set([...(before?.sections ?? []), ...(docIdx === undefined ? [] : [docIdx])])]
    said.push({ speaker, text: before ? `${before.text} ${text.trim()}` : text.trim(), sections })
  }
  return said
}

/** One of the places, the same for the same words. */
const oneOf = (places: readonly number[], drawnBy: string): readonly number[] =>
  places.length === 0 ? [] : places.slice(Number.parseInt(sha256(drawnBy).slice(0, 12), 16) % places.length).slice(0, 1)

function sectionOf({ document, sections }: Film, number: number): readonly Evidence[] {
  const section = sections[number]
  return section && section.text !== '' ? [{ documentId: document.id, ...section }] : []
}
