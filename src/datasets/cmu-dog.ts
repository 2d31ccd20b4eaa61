import { basename, join } from 'node:path'
import { z } from 'zod'
import { UserError } from '../errors.ts'
import { sha256 } from '../text/hash.ts'
import type { Document, Evidence, Question, Turn } from '../types.ts'
import { recordsOf, words } from '../formats/records.ts'
import { byBytes, filesIn } from './shared/official-file.ts'
import { malformedRecords, publishedDataset } from './shared/published-dataset.ts'

/**
 * Parts of the data, in the order in which a conversation of the same name is looked for; all are read (our reading).
 */
const splits = ['train', 'valid', 'test'] as const

const options = z.strictObject({
  unit: z
    .enum(['conversation', 'turn'])
    .default('conversation')
    .describe(
      "conversation: one reply of each file, drawn by the name of the file, so that counts sum to the number of files as the paper's do (our reading); turn: every reply",
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
      'What the speaker knows, by which a judge decides: the sections that were shown while the reply was written, or all of the document (our reading)',
    ),
})

/**
 * Conversation files at most, in byte order of their names: the paper has 1219, "sorted by name", and does not say of
 * which folder (our reading).
 */
const mostConversations = 1219

type Options = z.output<typeof options>

/**
 * CMU DoG (Zhou et al., 2018): conversations about films, of which one participant or both read a document; one corpus
 * per film, with the replies of a participant who read it as questions. Evidence is the section that was shown when the
 * reply was written, unless `evidence` says otherwise (our reading).
 */
export const cmuDog = publishedDataset({
  name: 'cmu-dog',
  summary:
    'Conversations about 30 films; a reply of the participant who read the document of the film is asked for, after what was really said before.',
  source: 'https://github.com/festvox/datasets-CMU_DoG',
  licence: 'none stated; it is not brought by "data get": use a copy of your own',
  layout:
    '`Conversations/train`, `Conversations/valid` and `Conversations/test` with a `.json` file per conversation (published: 4221 files, 4111 distinct names), and `WikiData` with a `.json` file per film (30)',
  options,
  evidence: true,
  answers: 'sentence',
  files: async (path) => {
    const { films, conversations } = await layoutOf(path)
    return [...films, ...conversations.map(({ file }) => file)]
  },
  async *corpora({ path, options, bad, holds, leftOut }) {
    const { films: filmFiles, conversations, ...counts } = await layoutOf(path)
    const films = new Map<number, { readonly film: Film; readonly questions: Question[] }>()
    for (const file of filmFiles)
      for await (const { value } of recordsOf(file, filmRecord, filmForm, bad)) {
        const number = value.wikiDocumentIdx
        if (films.has(number))
          throw new UserError(`${path}: two files of WikiData have the same wikiDocumentIdx; keep one`)
        films.set(number, { film: filmOf(basename(file, '.json'), value), questions: [] })
      }
    holds('conversation files', counts.files)
    holds('distinct names', counts.names)
    holds('films', films.size)
    leftOut('conversation files of a name that another split has', counts.files - counts.names)
    leftOut('conversations beyond the number of the paper', counts.names - conversations.length)
    for (const file of conversations) {
      const read = await bad.attemptAsync(() => conversationIn(file.file))
      const replies = bad.attempt(() => {
        if (!read) return undefined
        const number = read.value.wikiDocumentIdx
        const about = films.get(number)
        if (!about) throw new UserError(`${read.where}: no file in WikiData has wikiDocumentIdx ${number}`)
        const questions = turnsOf(read.value, file, about.film, options)
        about.questions.push(...questions)
        return questions
      })
      if (replies?.length === 0) leftOut('conversations without a reply of a participant who saw the document')
    }
    for (const { film, questions } of films.values())
      if (questions.length === 0) leftOut('films without a conversation')
      else yield { id: film.document.id, documents: [film.document], questions }
  },
})

/** A file of one conversation; its name is that of the file without `.json`. */
interface ConversationFile {
  readonly name: string
  readonly split: (typeof splits)[number]
  readonly file: string
}

/**
 * The files of films and of the first conversations in byte order, each name once, and how many files and names there
 * are. Throws UserError naming the folder.
 */
async function layoutOf(path: string) {
  const form = 'the dataset must be a folder with Conversations/{train,valid,test}/*.json and WikiData/*.json'
  const films = await filesIn(join(path, 'WikiData'), '.json', form)
  const all: ConversationFile[] = []
  for (const split of splits)
    for (const file of await filesIn(join(path, 'Conversations', split), '.json', form))
      all.push({ name: basename(file, '.json'), split, file })
  const byName = new Map(all.toReversed().map((conversation) => [conversation.name, conversation]))
  const conversations = [...byName.values()].sort((a, b) => byBytes(a.name, b.name)).slice(0, mostConversations)
  return { films, conversations, files: all.length, names: byName.size }
}

/** A film: its document, with the place of each of its four sections. */
interface Film {
  readonly name: string
  readonly document: Document
  readonly sections: readonly { readonly text: string; readonly start: number }[]
}

const filmForm = 'a film of CMU DoG (wikiDocumentIdx and the sections "0" to "3")'

const oneOrMoreTexts = z.union([z.string(), z.array(z.string())]).optional()
const filmRecord = z.object({
  wikiDocumentIdx: z.int(),
  '0': z.object({
    movieName: words,
    introduction: words,
    year: z.union([oneOrMoreTexts, z.int()]),
    director: oneOrMoreTexts,
    genre: oneOrMoreTexts,
    cast: oneOrMoreTexts,
    rating: oneOrMoreTexts,
    critical_response: oneOrMoreTexts,
  }),
  '1': z.string(),
  '2': z.string(),
  '3': z.string(),
})

/** All four sections as one text, a blank line between them; the fields of the first one a line (our reading). */
function filmOf(id: string, { '0': first, ...rest }: z.output<typeof filmRecord>): Film {
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
  return { name: movieName, document: { id, text, title: movieName }, sections }
}

function line(name: string, value: string | number | readonly string[] | undefined): string {
  const text = (Array.isArray(value) ? value : [value ?? '']).map((part) => String(part).trim()).join('; ')
  return text === '' ? '' : `${name}: ${text}`
}

const conversationForm = 'a conversation of CMU DoG (history, whoSawDoc, wikiDocumentIdx)'

const conversation = z.object({
  wikiDocumentIdx: z.int(),
  whoSawDoc: z.array(z.string()),
  history: z.array(z.object({ text: z.string(), uid: z.string(), docIdx: z.int().optional() })),
  rating: z.int().optional(),
})

/** A conversation as its file has it. */
type Conversation = z.output<typeof conversation>

/** The conversation of a file and its place. Throws UserError for a malformed one. */
async function conversationIn(file: string) {
  for await (const record of recordsOf(file, conversation, conversationForm, malformedRecords('stop'))) return record
  throw new UserError(`${file}: contains no conversation`)
}

/** Consecutive messages of one speaker, and the sections shown to that speaker meanwhile. */
interface Utterance extends Turn {
  readonly sections: readonly number[]
}

/**
 * The replies of the participant who saw the document (of two, user2) as questions: the message before is the text,
 * what was said before that the history, both as people wrote them. No reply where nobody saw it or that participant
 * said nothing.
 */
function turnsOf(
  { whoSawDoc, history, rating }: Conversation,
  { name, split }: ConversationFile,
  film: Film,
  options: Options,
): readonly Question[] {
  const replies = whoSawDoc.includes('user2') ? 'user2' : whoSawDoc.find((participant) => participant === 'user1')
  const turns = utterances(history)
  const places = turns.flatMap(({ speaker }, place) => (speaker === replies ? [place] : []))
  const selection = options.unit === 'turn' ? places : pickPlace(places, `0 ${name}`)
  return selection.flatMap((place): Question[] => {
    const reply = turns[place]
    if (!reply) return []
    const message = turns[place - 1]
    const earlier = turns.slice(0, Math.max(0, place - 1))
    const visible = earlier.slice(Math.max(0, earlier.length - (options.history ?? Infinity)))
    const sections = options.evidence === 'document' ? [...film.sections.keys()] : reply.sections
    return [
      {
        id: `${name}:${place + 1}`,
        text: message?.text ?? `Let us talk about the film ${film.name}.`,
        reference: { kind: 'turn', accepted: reply.text },
        evidence: sections.flatMap((section) => sectionOf(film, section)),
        cluster: film.document.id,
        history: visible.map(({ speaker, text }) => ({ speaker, text })),
        roles: { asks: message?.speaker ?? (replies === 'user2' ? 'user1' : 'user2'), replies: reply.speaker },
        tags: [`split:${split}`, ...(rating === undefined ? [] : [`rating:${rating}`])],
      },
    ]
  })
}

/** Messages of one speaker in a row, joined by a space; blank ones are left out. */
function utterances(history: Conversation['history']): readonly Utterance[] {
  const result: Utterance[] = []
  for (const { uid: speaker, text, docIdx } of history) {
    if (text.trim() === '') continue
    const last = result.at(-1)
    const before = last?.speaker === speaker ? result.pop() : undefined
    const sections = [...new Set([...(before?.sections ?? []), ...(docIdx === undefined ? [] : [docIdx])])]
    result.push({ speaker, text: before ? `${before.text} ${text.trim()}` : text.trim(), sections })
  }
  return result
}

/** One of the places, the same for the same words. */
const pickPlace = (places: readonly number[], drawnBy: string): readonly number[] =>
  places.length === 0 ? [] : places.slice(Number.parseInt(sha256(drawnBy).slice(0, 12), 16) % places.length).slice(0, 1)

function sectionOf({ document, sections }: Film, number: number): readonly Evidence[] {
  const section = sections[number]
  return section && section.text !== '' ? [{ documentId: document.id, ...section }] : []
}
