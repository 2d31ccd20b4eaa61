import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { UserError } from '../errors.ts'
import { sha256 } from '../text/hash.ts'
import type { Question, Turn } from '../types.ts'
import { recordsOf, words } from '../formats/records.ts'
import { evidenceAt, joinParts } from './shared/document-of-record.ts'
import { byBytes, filesIn } from './shared/official-file.ts'
import { malformedRecords, publishedDataset } from './shared/published-dataset.ts'

/** The parts, in the order in which a conversation of one name is looked for; all are read (our reading). */
const splits = ['train', 'valid', 'test'] as const

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

type Options = z.output<typeof options>

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
    const films = new Map<number, { readonly film: Film; readonly questions: Question[] }>()
    for (const file of filmFiles)
      for await (const { value } of recordsOf(file, filmRecord, bad)) {
        if (films.has(value.wikiDocumentIdx))
          throw new UserError(`${path}: two files of WikiData have the same wikiDocumentIdx; keep one`)
        films.set(value.wikiDocumentIdx, { film: filmOf(basename(file, '.json'), value), questions: [] })
      }
    holds('conversation files', counts.files)
    holds('distinct names', counts.names)
    holds('films', films.size)
    leftOut('conversation files of a name that another split has', counts.files - counts.names)
    leftOut('conversations beyond the number of the paper', counts.names - conversations.length)
    const addQuestions = async (file: string): Promise<void> => {
      for await (const { value, where } of recordsOf(file, conversation, malformedRecords())) {
        const about = films.get(value.wikiDocumentIdx)
        if (!about) throw new UserError(`${where}: no file in WikiData has wikiDocumentIdx ${value.wikiDocumentIdx}`)
        const questions = turnsOf(value, file, about.film, options)
        about.questions.push(...questions)
        if (questions.length === 0) leftOut('conversations without a reply of a participant who saw the document')
        return
      }
    }
    for (const file of conversations) await bad.attemptAsync(() => addQuestions(file))
    for (const { film, questions } of films.values())
      if (questions.length === 0) leftOut('films without a conversation')
      else yield { id: film.id, documents: [{ id: film.id, text: film.text, title: film.name }], questions }
  },
})

async function layoutOf(path: string) {
  const form = 'the dataset must be a folder with Conversations/{train,valid,test}/*.json and WikiData/*.json'
  const films = await filesIn(join(path, 'WikiData'), '.json', form)
  const byName = new Map<string, string>()
  let count = 0
  for (const split of splits)
    for (const file of await filesIn(join(path, 'Conversations', split), '.json', form)) {
      const name = basename(file, '.json')
      count++
      if (!byName.has(name)) byName.set(name, file)
    }
  const conversations = [...byName].sort(([a], [b]) => byBytes(a, b)).map(([, file]) => file)
  return { films, conversations: conversations.slice(0, mostConversations), files: count, names: byName.size }
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
const capitalise = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

/** All four sections as one text, a blank line between them; the fields of the first one a line (our reading). */
function filmOf(id: string, { '0': first, ...rest }: z.output<typeof filmRecord>) {
  const lines = Object.entries(first).flatMap(([field, fact]) => {
    const values = [fact].flat().map((value) => String(value).trim())
    if (values.join('') === '') return []
    const label = labels[field] ?? capitalise(field)
    return [`${label}: ${values.join('; ')}`]
  })
  const sections = [lines.join('\n'), rest['1'], rest['2'], rest['3']].map((section) => section.trim())
  return { id, name: first.movieName, ...joinParts(sections) }
}

const conversation = z
  .object({
    wikiDocumentIdx: z.int(),
    whoSawDoc: z.array(z.string()),
    history: z.array(z.object({ text: z.string(), uid: z.string(), docIdx: z.int().optional() })),
    rating: z.int().optional(),
  })
  .describe('a conversation of CMU DoG (history, whoSawDoc, wikiDocumentIdx)')

/** The replies of the participant who saw the document (of two, user2) to the messages before them. */
function turnsOf(read: z.output<typeof conversation>, file: string, film: Film, options: Options): Question[] {
  const { whoSawDoc, history, rating } = read
  const name = basename(file, '.json')
  const participant = ['user2', 'user1'].find((user) => whoSawDoc.includes(user))
  const turns = utterances(history)
  const places = turns.flatMap(({ speaker }, place) => (speaker === participant ? [place] : []))
  // one of the places, the same for the same name
  const draw = Number.parseInt(sha256(`0 ${name}`).slice(0, 12), 16)
  const drawIndex = draw % places.length
  const selection = options.unit === 'turn' ? places : places.slice(drawIndex, drawIndex + 1)
  return selection.flatMap((place): Question[] => {
    const message = turns[place - 1]
    const reply = turns[place]
    if (!reply) return []
    const shownFrom = Math.max(0, place - 1 - (options.history ?? Infinity))
    const visible = turns.slice(shownFrom, Math.max(0, place - 1))
    const sections = options.evidence === 'document' ? film.spans.keys() : reply.sections
    return [
      {
        id: `${name}:${place + 1}`,
        text: message?.text ?? `Let us talk about the film ${film.name}.`,
        reference: { kind: 'turn', accepted: reply.text },
        evidence: Array.from(sections, (number) => film.spans[number])
          .filter((span) => span !== undefined)
          .map((span) => evidenceAt(film, span)),
        cluster: film.id,
        history: visible.map(({ speaker, text }) => ({ speaker, text })),
        roles: { asks: message?.speaker ?? (participant === 'user2' ? 'user1' : 'user2'), replies: reply.speaker },
        tags: [`split:${basename(dirname(file))}`, ...(rating === undefined ? [] : [`rating:${rating}`])],
      },
    ]
  })
}

/** The messages of a conversation, with the sections shown meanwhile; those in a row of one speaker are one. */
function utterances(history: z.output<typeof conversation>['history']) {
  const result: (Turn & { readonly sections: readonly number[] })[] = []
  for (const { uid: speaker, text, docIdx } of history) {
    if (text.trim() === '') continue
    const before = result.at(-1)?.speaker === speaker ? result.pop() : undefined
    const sections = [...new Set([...(before?.sections ?? []), ...(docIdx === undefined ? [] : [docIdx])])]
    result.push({ speaker, text: before ? `${before.text} ${text.trim()}` : text.trim(), sections })
  }
  return result
}
