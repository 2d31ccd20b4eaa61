import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { UserError } from '../../errors.ts'
import { byBytes } from '../shared/by-bytes.ts'

/** Parts of the data, in the order in which a conversation of the same name is looked for. */
export const splits = ['train', 'valid', 'test'] as const

/** A file of one conversation; its name is that of the file without `.json`. */
export interface ConversationFile {
  readonly name: string
  readonly split: (typeof splits)[number]
  readonly file: string
}

/** The files of a copy: films by name, the selected conversations by name, and what selecting left out. */
export interface Layout {
  readonly films: readonly string[]
  readonly conversations: readonly ConversationFile[]
  /** Conversation files of the splits asked for. */
  readonly files: number
  /** Their distinct names. */
  readonly names: number
}

const form = 'the dataset must be a folder with Conversations/{train,valid,test}/*.json and WikiData/*.json'

/** The films, and the first conversations in byte order of their names, each name once. Throws UserError naming the folder that is missing. */
export async function layoutOf(
  path: string,
  split: ConversationFile['split'] | 'all',
  most: number | null,
): Promise<Layout> {
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
