import { basename, join } from 'node:path'
import { z } from 'zod'
import { defineDataset } from '../define.ts'
import { UserError } from '../errors.ts'
import { sha256 } from '../text/hash.ts'
import type { Corpus, Document, Evidence, Question, Turn } from '../types.ts'
import { recordsOf, words } from '../formats/records.ts'
import { byBytes, filesIn } from './shared/official-file.ts'
import { type BadRecords, badRecords, countedCorpora, type Counting } from './shared/reading.ts'

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
export const cmuDog = defineDataset({
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
  corpora: (path, options, onBadRecord) =>
    countedCorpora(path, onBadRecord, ({ bad, ...counting }) => corporaOf(path, options, bad, counting)),
})

/** A file of one conversation; its name is that of the file without `.json`. */
interface ConversationFile {
  readonly name: string
  readonly split: (typeof splits)[number]
  readonly file: string
}

/** The files of a copy: films and selected conversations by name, and how many conversations there are. */
interface Layout {
  readonly films: readonly string[]
  readonly conversations: readonly ConversationFile[]
  /** Conversation files of all splits. */
  readonly files: number
  /** Their distinct names. */
  readonly names: number
}

/** The films, and the first conversations in byte order, each name once. Throws UserError naming the folder. */
async function layoutOf(path: string): Promise<Layout> {
  const form = 'the dataset must be a folder with Conversations/{train,valid,test}/*.json and WikiData/*.json'
  const films = await filesIn(join(path, 'WikiData'), '.json', form)
  const all: ConversationFile[] = []
  for (const one of splits)
    for (const file of await filesIn(join(path, 'Conversations', one), '.json', form))
      all.push({ name: basename(file, '.json'), split: one, file })
  const named = new Map(all.toReversed().map((one) => [one.name, one]))
  const conversations = [...named.values()].sort((a, b) => byBytes(a.name, b.name)).slice(0, mostConversations)
  return { films, conversations, files: all.length, names: named.size }
}

/** The films that have questions, by their files. */
async function* corporaOf(
  path: string,
  options: Options,
  bad: BadRecords,
  { holds, leftOut }: Counting,
): AsyncGenerator<Corpus> {
  const { films: files, conversations, ...counts } = await layoutOf(path)
  const films = await filmsOf(files, bad)
  const asked = new Map(films.map((film) => [film.number, { film, questions: new Array<Question>() }]))
  if (asked.size < films.length)
    throw new UserError(`${path}: two files of WikiData have the same wikiDocumentIdx; expected one film for each`)
  holds('conversation files', counts.files)
  holds('distinct names', counts.names)
  holds('films', films.length)
  leftOut('conversation files of a name that another split has', counts.files - counts.names)
  leftOut('conversations beyond the number of the paper', counts.names - conversations.length)
  const turnsIn = ({ value, where }: Awaited<ReturnType<typeof conversationIn>>, file: ConversationFile) => {
    const about = asked.get(value.wikiDocumentIdx)
    if (!about) throw new UserError(`${where}: wikiDocumentIdx ${value.wikiDocumentIdx} is that of no file in WikiData`)
    const questions = turnsOf(value, file, about.film, options)
    about.questions.push(...questions)
    return questions
  }
  for (const one of conversations) {
    const read = await bad.attemptAsync(() => conversationIn(one.file))
    const said = read && bad.attempt(() => turnsIn(read, one))
    if (said?.length === 0) leftOut('conversations without a reply of a participant who saw the document')
  }
  for (const { film, questions } of asked.values())
    if (questions.length === 0) leftOut('films without a conversation')
    else yield { id: film.document.id, documents: [film.document], questions }
}

/** A film: its number in the data, and its document with the place of each of its four sections. */
interface Film {
  readonly number: number
  readonly name: string
  readonly document: Document
  readonly sections: readonly { readonly text: string; readonly start: number }[]
}

const filmForm = 'a film of CMU DoG (wikiDocumentIdx and the sections "0" to "3")'

const said = z.union([z.string(), z.array(z.string())]).optional()
const filmRecord = z.object({
  wikiDocumentIdx: z.int(),
  '0': z.object({
    movieName: words,
    introduction: words,
    year: z.union([said, z.int()]),
    director: said,
    genre: said,
    cast: said,
    rating: said,
    critical_response: said,
  }),
  '1': z.string(),
  '2': z.string(),
  '3': z.string(),
})

/** The films of a copy, by their files. */
async function filmsOf(files: readonly string[], bad: BadRecords): Promise<readonly Film[]> {
  const films: Film[] = []
  for (const file of files)
    for await (const { value } of recordsOf(file, filmRecord, filmForm, bad))
      films.push(filmOf(basename(file, '.json'), value))
  return films
}

/** All four sections as one text, a blank line between them; the fields of the first one a line (our reading). */
function filmOf(id: string, { wikiDocumentIdx: number, '0': first, ...rest }: z.output<typeof filmRecord>): Film {
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

const conversationForm = 'a conversation of CMU DoG (history, whoSawDoc, wikiDocumentIdx)'

const conversation = z.object({
  wikiDocumentIdx: z.int(),
  whoSawDoc: z.array(z.string()),
  history: z.array(z.object({ text: z.string(), uid: z.string(), docIdx: z.int().optional() })),
  rating: z.int().optional(),
})

/** A conversation as its file has it. */
type Conversation = z.output<typeof conversation>

/** The conversation of a file, and where it stands. Throws UserError saying what is wrong there. */
async function conversationIn(file: string) {
  for await (const record of recordsOf(file, conversation, conversationForm, badRecords('stop'))) return record
  throw new UserError(`${file}: contains no conversation`)
}

/** What was said without a break by one speaker, and the sections that this speaker was shown meanwhile. */
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
  const replies = whoSawDoc.includes('user2') ? 'user2' : whoSawDoc.find((who) => who === 'user1')
  const said = utterances(history)
  const places = said.flatMap(({ speaker }, place) => (speaker === replies ? [place] : []))
  const asked = options.unit === 'turn' ? places : oneOf(places, `0 ${name}`)
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
        evidence: (options.evidence === 'document' ? [...film.sections.keys()] : reply.sections).flatMap((section) =>
          sectionOf(film, section),
        ),
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
