import { z } from 'zod'
import { defineDataset } from '../../define.ts'
import { UserError } from '../../errors.ts'
import type { Corpus, Question } from '../../types.ts'
import { type BadRecords, onBadRecord, skippingBad } from '../shared/bad-records.ts'
import { jsonRecords, type JsonRecord } from '../formats/json-records.ts'
import { type Film, filmsOf } from './film.ts'
import { type ConversationFile, layoutOf, splits } from './layout.ts'
import { conversationOf, turnsOf } from './turns.ts'

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
