import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { groupBy } from '../basics/collections.ts'
import { failureOf, UserError } from '../errors.ts'
import { recordsOf, words } from '../formats/records.ts'
import { occurrences } from '../text/characters.ts'
import type { Document, Question } from '../types.ts'
import { safeName, zipEntries } from './download/unpack.ts'
import { summaryQuestion } from './shared/document-of-record.ts'
import { exists, type Files, filesIn, officialFile, statsOf } from './shared/official-file.ts'
import { publishedDataset } from './shared/published-dataset.ts'

const names = { texts: 'Kevin Scott Podcast Transcripts Input Text.zip', questions: 'Kevin Scott Questions.csv' }
const bothNames = (name: string) => [name, safeName(name)]

const repository = 'https://github.com/microsoft/graphrag-benchmarking-datasets'
const form = `put ${names.texts}, or its folder "input", beside ${names.questions}`

/** The podcast of GraphRAG (Edge et al., 2024) with questions of all episodes at once, without answers. */
export const graphragPodcast = publishedDataset({
  name: 'graphrag-podcast',
  summary:
    'Global questions, without reference answers, about the episodes of a podcast, joined from their published parts.',
  source: repository,
  licence: 'CDLA-Permissive 2.0',
  layout: `\`${names.texts}\`, or the folder \`input\` that it holds, and \`${names.questions}\``,
  options: z.strictObject({}),
  evidence: false,
  withoutAnswers: true,
  scorers: [{ use: 'pairwise', options: {} }],
  files: filesOf,
  // the files of a folder name the episodes
  names: (files) => files.flatMap((file) => (file.endsWith('.txt') ? [basename(file)] : [])),
  async *corpora({ files, bad, holds, leftOut }) {
    const [texts, [questionFile = '']] = [files.slice(0, -1), files.slice(-1)]
    const parts: Part[] = []
    for (const text of await textsOf(texts)) {
      const [, episode, number] = /^(.+)-part(\d+)\.txt$/.exec(basename(text.name)) ?? []
      if (episode === undefined) leftOut('texts that are no part of an episode')
      else parts.push({ ...text, episode, number: Number(number) })
    }
    holds('parts', parts.length)
    const documents = Array.from(groupBy(parts, ({ episode }) => episode)).flatMap(
      ([episode, itsParts]) => bad.attempt(() => documentOf(episode, itsParts)) ?? [],
    )
    if (documents.length === 0)
      throw bad.first() ?? new UserError(`${texts.join(', ')}: holds no EPISODE-part1.txt; ${form}`)
    const questions: Question[] = []
    for await (const { value } of recordsOf(questionFile, question, questionForm, bad))
      questions.push(summaryQuestion(value.question_id, value.question_text.trim(), []))
    yield { id: 'podcast', documents, questions, answerable: true }
  },
  download: {
    files: [
      { name: names.texts, sha256: '4e92d3234096f7304f8a369fd52b503241e8ef46995d43a8f2c30e5d27b8d266' },
      { name: names.questions, sha256: 'a85e51e2da0576c950134f2f564b3dc73cbae8eb2273442e75da4e6710fa2576' },
    ].map((file) => ({
      ...file,
      url: `https://raw.githubusercontent.com/microsoft/graphrag-benchmarking-datasets/main/data/${encodeURIComponent(file.name)}`,
    })),
  },
})

async function filesOf(path: string): Promise<Files> {
  const isFile = (await statsOf(path))?.isFile() === true
  const folder = isFile ? dirname(path) : path
  const questionPath = isFile && path.endsWith('.csv') ? path : folder
  const questions = await officialFile(questionPath, bothNames(names.questions), 'graphrag-podcast')
  const archives = isFile && path.endsWith('.zip') ? [path] : bothNames(names.texts).map((name) => join(folder, name))
  for (const archive of archives) {
    if (await exists(archive)) return [archive, questions]
  }
  return [...(await filesIn(join(folder, 'input'), '.txt', form)), questions]
}

const questionForm = 'the columns question_text and question_id'
const question = z.object({ question_text: words, question_id: words })

type Part = Awaited<ReturnType<typeof textsOf>>[number] & { readonly episode: string; readonly number: number }

/** The texts of files and of the members of archives, which are unpacked when they are read. */
async function textsOf(files: readonly string[]) {
  const texts: { readonly name: string; readonly where: string; readonly data: () => Uint8Array }[] = []
  for (const file of files) {
    const bytes = await readFile(file)
    const unpack = <T>(read: () => T) => attempt(`${file}: cannot be unpacked as zip; download it again`, read)
    if (!file.endsWith('.zip')) texts.push({ name: basename(file), where: file, data: () => bytes })
    else
      for (const { name, data } of unpack(() => zipEntries(bytes)))
        texts.push({ name, where: `${file}: ${name}`, data: () => unpack(data) })
  }
  return texts
}

function attempt<T>(failure: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw failureOf(failure, error)
  }
}

/** An episode: the words of its parts, each once. Throws UserError where a part is missing, there twice or no text. */
function documentOf(episode: string, parts: readonly Part[]): Document {
  let text = ''
  let before = ''
  for (const [index, { number, where, data }] of parts.toSorted((a, b) => a.number - b.number).entries()) {
    if (number !== index + 1)
      throw new UserError(`${where}: is part ${number} of "${episode}" where part ${index + 1} is expected`)
    const bytes = data()
    const fileText = attempt(`${where}: cannot be read as UTF-8 text`, () => utf8.decode(bytes))
    // each part begins with the name of the episode's file
    const body = index > 0 && fileText.startsWith(`${episode}.txt `) ? fileText.slice(episode.length + 5) : fileText
    text += body.slice(repeatLength(before, body))
    before = body
  }
  return { id: episode, title: episode, text: text.replaceAll('\r\n', '\n') }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Characters of a repeat by which it is known: repeats have 278 at least, other ends that agree 2 at most. */
const minRepeat = 100

function repeatLength(before: string, part: string) {
  const at = occurrences(before, part.slice(0, minRepeat)).find((start) => part.startsWith(before.slice(start)))
  return at === undefined ? 0 : before.length - at
}
