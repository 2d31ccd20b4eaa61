import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { groupBy } from '../basics/collections.ts'
import { UserError } from '../errors.ts'
import { byCodePoint } from '../text/characters.ts'
import { sha256 } from '../text/hash.ts'
import type { Question } from '../types.ts'
import { recordsOf, words } from '../formats/records.ts'
import { evidenceAt, joinParts, uniqueIds } from './shared/document-of-record.ts'
import { filesIn } from './shared/official-file.ts'
import { malformedRecords, publishedDataset } from './shared/published-dataset.ts'

const options = z.strictObject({
  unit: z
    .enum(['conversation', 'turn'])
    .default('conversation')
    .describe(
      'conversation: one reply per file, drawn by the file name, as the counts of the paper suggest (our reading); turn: every reply',
    ),
  history: z
    .int()
    .min(0)
    .nullable()
    .default(null)
    .describe('Utterances before the message that are shown, the last ones; null: all (our reading)'),
  evidence: z
    .enum(['shown', 'document'])
    .default('shown')
    .describe(
      'What the speaker knows, for a judge: the sections shown while the reply was written, or the whole document (our reading)',
    ),
})

/** Conversation files at most, "sorted by name" as the paper says, without naming a folder (our reading). */
const mostConversations = 1219

/**
 * CMU DoG (Zhou et al., 2018): one corpus per film; questions are the replies of a participant who read its document.
 * Evidence is the section shown meanwhile, unless `evidence` says otherwise (our reading).
 */
export const cmuDog = publishedDataset({
  name: 'cmu-dog',
  summary:
    'Conversations about 30 films: the next reply of a participant who read the document of the film, after the real history.',
  source: 'https://github.com/festvox/datasets-CMU_DoG',
  licence: 'none stated; it is not brought by "data get": use a copy of your own',
  layout:
    '`Conversations/train`, `Conversations/valid` and `Conversations/test` with a `.json` file per conversation (published: 4221 files, 4111 distinct names), and `WikiData` with a `.json` file per film (30)',
  options,
  evidence: true,
  answers: 'sentence',
  files: async (path) => {
    const { films, conversations } = await layoutOf(path)
    return [...films, ...conversations]
  },
  async *corpora({ path, options, bad, holds, leftOut }) {
    const { films: filmFiles, conversations, ...counts } = await layoutOf(path)
    holds('conversation files', counts.files)
    holds('distinct names', counts.names)
    leftOut('conversations beyond the number of the paper', counts.names - conversations.length)
    const films = new Map<number, Film>()
    const useIndex = uniqueIds()
    for (const file of filmFiles)
      for await (const { value, where } of recordsOf(file, filmRecord, bad)) {
        useIndex(String(value.wikiDocumentIdx), where)
        films.set(value.wikiDocumentIdx, filmOf(basename(file, '.json'), value))
      }
    for (const file of conversations)
      await bad.attemptAsync(async () => {
        for await (const { value, where } of recordsOf(file, conversation, malformedRecords())) {
          const film = films.get(value.wikiDocumentIdx)
          if (!film) throw new UserError(`${where}: no file in WikiData has wikiDocumentIdx ${value.wikiDocumentIdx}`)
          const questions = questionsOf(value, file, film, options)
          film.questions.push(...questions)
          if (questions.length === 0) leftOut('conversations without a reply of a participant who saw the document')
        }
      })
    for (const { document, questions } of films.values())
      if (questions.length === 0) leftOut('films without a conversation')
      else yield { id: document.id, documents: [document], questions }
  },
})

async function layoutOf(path: string) {
  const form = 'the dataset must be a folder with Conversations/{train,valid,test}/*.json and WikiData/*.json'
  const films = await filesIn(join(path, 'WikiData'), '.json', form)
  const files: string[] = []
  // all are read; of those of one name, the first (our reading)
  for (const split of ['train', 'valid', 'test'])
    files.push(...(await filesIn(join(path, 'Conversations', split), '.json', form)))
  const byName = [...groupBy(files, (file) => basename(file, '.json'))].sort(([a], [b]) => byCodePoint(a, b))
  const conversations = byName.slice(0, mostConversations).map(([, [file]]) => file)
  return { films, conversations, files: files.length, names: byName.length }
}

type Film = ReturnType<typeof filmOf>

const fact = z.union([z.string(), z.int(), z.array(z.string())]).default('')
const facts = z.object({
  movieName: words,
  year: fact,
  director: fact,
  genre: fact,
  cast: fact,
  introduction: words,
  rating: fact,
  critical_response: fact,
})
const filmRecord = z
  .object({ wikiDocumentIdx: z.int(), '0': facts, '1': z.string(), '2': z.string(), '3': z.string() })
  .describe('a film of CMU DoG (wikiDocumentIdx and the sections "0" to "3")')

/** Names of fields in a document, where they are not those of the record (our reading). */
const labels: Readonly<Record<string, string>> = { movieName: 'Film', critical_response: 'Critical response' }

/** All four sections as one text, a blank line between them; the fields of the first one a line (our reading). */
function filmOf(id: string, { '0': first, ...rest }: z.output<typeof filmRecord>) {
  const lines = Object.entries(first).flatMap(([field, fact]) => {
    const values = [fact].flat().map((value) => String(value).trim())
    if (values.join('') === '') return []
    return `${labels[field] ?? field.charAt(0).toUpperCase() + field.slice(1)}: ${values.join('; ')}`
  })
  const sections = [lines.join('\n'), rest['1'], rest['2'], rest['3']].map((section) => section.trim())
  const { text, spans } = joinParts(sections)
  return { document: { id, text, title: first.movieName }, spans, questions: new Array<Question>() }
}

const conversation = z
  .object({
    wikiDocumentIdx: z.int(),
    whoSawDoc: z.array(z.string()),
    rating: z.int().optional(),
    history: z.array(z.object({ text: z.string(), uid: z.string(), docIdx: z.int().optional() })),
  })
  .describe('a conversation of CMU DoG (history, whoSawDoc, wikiDocumentIdx)')

/** The replies of the participant who saw the document (of two, user2) to the messages before them. */
function questionsOf(
  { whoSawDoc, history, rating }: z.output<typeof conversation>,
  file: string,
  { document, spans }: Film,
  { unit, evidence, history: historyLimit }: z.output<typeof options>,
): Question[] {
  const name = basename(file, '.json')
  const participant = ['user2', 'user1'].find((user) => whoSawDoc.includes(user))
  const partner = participant === 'user2' ? 'user1' : 'user2'
  const turns = utterances(history)
  const replies = turns.flatMap((reply, place) => (reply.speaker === participant ? [{ reply, place }] : []))
  // one of the replies, the same for the same name
  const draw = Number.parseInt(sha256(`0 ${name}`).slice(0, 12), 16) % replies.length
  const selection = unit === 'turn' ? replies : replies.slice(draw, draw + 1)
  return selection.map(({ reply, place }): Question => {
    const message = turns[place - 1]
    const before = turns.slice(0, Math.max(0, place - 1))
    const visible = before.slice(Math.max(0, before.length - (historyLimit ?? Infinity)))
    const knownSpans = evidence === 'document' ? spans : Array.from(reply.sections, (number) => spans[number])
    return {
      id: `${name}:${place + 1}`,
      text: message?.text ?? `Let us talk about the film ${document.title}.`,
      reference: { kind: 'turn', accepted: reply.text },
      evidence: knownSpans.flatMap((span) => (span ? [evidenceAt(document, span)] : [])),
      cluster: document.id,
      history: visible.map(({ speaker, text }) => ({ speaker, text })),
      roles: { asks: message?.speaker ?? partner, replies: reply.speaker },
      tags: [`split:${basename(dirname(file))}`, ...(rating === undefined ? [] : [`rating:${rating}`])],
    }
  })
}

/** The messages of a conversation, with the sections shown meanwhile; those in a row of one speaker are one. */
function utterances(history: z.output<typeof conversation>['history']) {
  const result: { readonly speaker: string; text: string; readonly sections: Set<number> }[] = []
  for (const { uid: speaker, text, docIdx } of history) {
    if (text.trim() === '') continue
    let turn = result.at(-1)
    if (turn?.speaker === speaker) turn.text += ` ${text.trim()}`
    else result.push((turn = { speaker, text: text.trim(), sections: new Set() }))
    if (docIdx !== undefined) turn.sections.add(docIdx)
  }
  return result
}
