import { z } from 'zod'
import { defineDataset } from '../define.ts'
import { UserError } from '../errors.ts'
import type { Corpus, Question, Document, Evidence, Turn } from '../types.ts'
import { type BadRecords, onBadRecord, skippingBad } from './shared/bad-records.ts'
import { jsonRecords, type JsonRecord } from './formats/json-records.ts'
import { basename, join } from 'node:path'
import { shape, words } from './formats/shape.ts'
import { readdir } from 'node:fs/promises'
import { byBytes } from './shared/official-file.ts'
import { sha256 } from '../text/hash.ts'

/** Parts of the data, in the order in which a conversation of the same name is looked for. */
const splits = ['train', 'valid', 'test'] as const

/** A file of one conversation; its name is that of the file without `.json`. */
interface ConversationFile {
  readonly name: string
  readonly split: (typeof splits)[number]
  readonly file: string
}

/** The files of a copy: films by name, the selected conversations by name, and what selecting left out. */
interface Layout {
  readonly films: readonly string[]
  readonly conversations: readonly ConversationFile[]
  /** Conversation files of the splits asked for. */
  readonly files: number
  /** Their distinct names. */
  readonly names: number
}

const form = 'the dataset must be a folder with Conversations/{train,valid,test}/*.json and WikiData/*.json'

/** The films, and the first conversations in byte order of their names, each name once. Throws UserError naming the folder that is missing. */
async function layoutOf(path: string, split: ConversationFile['split'] | 'all', most: number | null): Promise<Layout> {
  const films = await jsonFiles(join(path, 'WikiData'))
  const wanted = split === 'all' ? splits : [split]
  const lists = await Promise.all(
    wanted.map(async (one) => {
      const files = await jsonFiles(join(path, 'Conversations', one))
      return files.map((file): ConversationFile => ({ name: basename(file, '.json'), split: one, file }))
    }),
  )
  const all = lists.flat()
  const named = new Map(all.toReversed().map((one) => [one.name, one]))
  const conversations = [...named.values()].sort((a, b) => byBytes(a.name, b.name)).slice(0, most ?? Infinity)
  return { films, conversations, files: all.length, names: named.size }
}

async function jsonFiles(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => {
    throw new UserError(`${folder}: no such folder; ${form}`)
  })
  const files = names.filter((name) => name.endsWith('.json')).sort(byBytes)
  if (files.length === 0) throw new UserError(`${folder}: contains no .json file; ${form}`)
  return files.map((name) => join(folder, name))
}

const options = z.strictObject({
  split: z
    .enum(['all', ...splits])
    .default('all')
    .describe('Folder of conversations; all: the three together, a name that stands in two of them once (our reading)'),
  conversations: z
    .int()
    .min(1)
    .nullable()
    .default(1219)
    .describe(
      'Conversation files at most, in byte order of their names: the paper has 1219, "sorted by name", and does not say of which folder (our reading); null: all',
    ),
  unit: z
    .enum(['conversation', 'turn'])
    .default('conversation')
    .describe(
      "conversation: one reply of each file, drawn by seed and file name, so that counts sum to the number of files as the paper's do (our reading); turn: every reply",
    ),
  seed: z.int().min(0).default(0).describe('With unit: conversation, what the reply is drawn by (our reading)'),
  history: z
    .int()
    .min(0)
    .nullable()
    .default(null)
    .describe('Utterances before the message that are shown, the last ones; null: all (our reading)'),
  onBadRecord,
})

type Options = z.output<typeof options>

/**
 * CMU DoG (Zhou et al., 2018): conversations about films, of which one participant or both read a document; one corpus per film, with the
 * replies of a participant who read it as questions. Evidence is the section that was shown when the reply was written (our reading).
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
  files: async (path, { split, conversations: most }) => {
    const { films, conversations } = await layoutOf(path, split, most)
    return [...films, ...conversations.map(({ file }) => file)]
  },
  corpora: (path, options) => skippingBad(options.onBadRecord, (bad) => corporaOf(path, options, bad)),
})

/** The films that have questions, by their files; the first says what the copy holds and what was left out. */
async function* corporaOf(path: string, options: Options, bad: BadRecords): AsyncGenerator<Corpus> {
  const { films: files, conversations, ...counts } = await layoutOf(path, options.split, options.conversations)
  const films = await filmsOf(files, bad)
  const numbered = new Map(films.map((film) => [film.number, film]))
  if (numbered.size < films.length)
    throw new UserError(`${path}: two files of WikiData have the same wikiDocumentIdx; expected one film for each`)
  const asked = new Map<Film, Question[]>(films.map((film) => [film, []]))
  let silent = 0
  for (const one of conversations) {
    const found = await questionsOf(one, numbered, options, bad)
    if (!found) continue
    if (found.questions.length === 0) silent++
    asked.get(found.film)?.push(...found.questions)
  }
  const holds = { 'conversation files': counts.files, 'distinct names': counts.names, films: films.length }
  const leftOut = {
    'conversation files of a name that another split has': counts.files - counts.names,
    'conversations beyond the number asked for': counts.names - conversations.length,
    'conversations without a reply of a participant who saw the document': silent,
    'films without a conversation': [...asked.values()].filter((questions) => questions.length === 0).length,
  }
  let first = true
  for (const [{ document }, questions] of asked) {
    if (questions.length === 0) continue
    yield { id: document.id, documents: [document], questions, ...(first && { holds, leftOut }) }
    first = false
  }
}

/** The questions of one file with the film that they are about; undefined where the file is bad and bad ones are skipped. */
async function questionsOf(
  file: ConversationFile,
  films: ReadonlyMap<number, Film>,
  options: Options,
  bad: BadRecords,
): Promise<{ readonly film: Film; readonly questions: readonly Question[] } | undefined> {
  const record = await bad.attemptAsync(() => onlyRecord(file.file))
  if (!record) return undefined
  const where = `${file.file}:${record.line}`
  return bad.attempt(() => {
    const conversation = conversationOf(record.value, where)
    const film = films.get(conversation.wikiDocumentIdx)
    if (!film)
      throw new UserError(`${where}: wikiDocumentIdx ${conversation.wikiDocumentIdx} is that of no file in WikiData`)
    return { film, questions: turnsOf(conversation, file, film, options) }
  })
}

/** The object of a file that holds one. */
async function onlyRecord(file: string): Promise<JsonRecord | undefined> {
  for await (const record of jsonRecords(file)) return record
  return undefined
}

/** A film: its number in the data, and its document with the place of each of its four sections. */
interface Film {
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
async function filmsOf(files: readonly string[], bad: BadRecords): Promise<readonly Film[]> {
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

const conversationForm = 'a conversation of CMU DoG (history, whoSawDoc, wikiDocumentIdx)'

const conversation = z.object({
  wikiDocumentIdx: z.int(),
  whoSawDoc: z.array(z.string()),
  history: z.array(z.object({ text: z.string(), uid: z.string(), docIdx: z.int().optional() })),
  rating: z.int().optional(),
})

/** A conversation as its file has it. */
type Conversation = z.output<typeof conversation>

/** A value read from JSON as a conversation. Throws UserError saying what is wrong `where`. */
const conversationOf = (value: unknown, where: string): Conversation =>
  shape(conversation, value, where, conversationForm)

/** What was said without a break by one speaker, and the sections that this speaker was shown meanwhile. */
interface Utterance extends Turn {
  readonly sections: readonly number[]
}

/** Which replies are asked for, and how much of what was said before them is shown. */
interface TurnOptions {
  readonly unit: 'conversation' | 'turn'
  readonly seed: number
  readonly history: number | null
}

/**
 * The replies of the participant who saw the document (of two, user2) as questions: the message before is the text, what was said before
 * that the history, both as people wrote them. No reply where nobody saw it or that participant said nothing.
 */
function turnsOf(
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
