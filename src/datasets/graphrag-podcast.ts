import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { z } from 'zod'
import { groupBy } from '../basics/collections.ts'
import { failureOf, UserError } from '../errors.ts'
import { recordsOf, words } from '../formats/records.ts'
import { occurrences } from '../text/characters.ts'
import type { Question } from '../types.ts'
import { safeName, zipEntries } from './download/unpack.ts'
import { summaryQuestion } from './shared/document-of-record.ts'
import { isFolder, officialFile } from './shared/official-file.ts'
import { filesBelow, publishedDataset } from './shared/published-dataset.ts'

const names = { texts: 'Kevin Scott Podcast Transcripts Input Text.zip', questions: 'Kevin Scott Questions.csv' }
/** The podcast of GraphRAG (Edge et al., 2024) with questions of all episodes at once, without answers. */
export const graphragPodcast = publishedDataset({
  name: 'graphrag-podcast',
  summary:
    'Global questions, without reference answers, about the episodes of a podcast, joined from their published parts.',
  source: 'https://github.com/microsoft/graphrag-benchmarking-datasets',
  licence: 'CDLA-Permissive 2.0',
  layout: `\`${names.texts}\` and \`${names.questions}\``,
  options: z.strictObject({}),
  withoutAnswers: true,
  scorers: [{ use: 'pairwise', options: {} }],
  files: filesOf,
  async *corpora({ files: [archive, questionFile], bad, holds }) {
    const parts = partsOf(archive, await readFile(archive))
    holds('parts', parts.length)
    const episodes = groupBy(parts, ({ episode }) => episode)
    const documents = Array.from(episodes, ([episode, itsParts]) => documentOf(episode, itsParts))
    const questions: Question[] = []
    for await (const { value } of recordsOf(questionFile, question, bad))
      questions.push(summaryQuestion(value.question_id, value.question_text.trim(), []))
    yield { id: 'podcast', documents, questions, answerable: true }
  },
  download: {
    files: filesBelow(
      'https://raw.githubusercontent.com/microsoft/graphrag-benchmarking-datasets/main/data',
      [names.texts, names.questions],
      {
        [names.texts]: '4e92d3234096f7304f8a369fd52b503241e8ef46995d43a8f2c30e5d27b8d266',
        [names.questions]: 'a85e51e2da0576c950134f2f564b3dc73cbae8eb2273442e75da4e6710fa2576',
      },
    ),
  },
})

async function filesOf(path: string): Promise<readonly [archive: string, questions: string]> {
  if ((await isFolder(path)) === false)
    throw new UserError(`${path}: must be a folder with ${names.texts} and ${names.questions}`)
  const find = (name: string) => officialFile(path, [name, safeName(name)], 'graphrag-podcast')
  return [await find(names.texts), await find(names.questions)]
}

const question = z
  .object({ question_text: words, question_id: words })
  .describe('the columns question_text and question_id')

/** The parts of episodes in the archive. Throws UserError where it is damaged. */
function partsOf(archive: string, bytes: Uint8Array) {
  try {
    return zipEntries(bytes).flatMap(({ name, data }) => {
      const [, episode, number] = /^(.+)-part(\d+)\.txt$/.exec(basename(name)) ?? []
      return episode === undefined ? [] : [{ episode, number: Number(number), text: utf8.decode(data()) }]
    })
  } catch (error) {
    throw failureOf(`${archive}: cannot be unpacked as zip`, error, '; download it again')
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** An episode: the words of its parts, each once. */
function documentOf(episode: string, parts: ReturnType<typeof partsOf>) {
  let text = ''
  let before = ''
  for (const [index, part] of parts.toSorted((a, b) => a.number - b.number).entries()) {
    // each part begins with the name of the episode's file
    const hasName = index > 0 && part.text.startsWith(`${episode}.txt `)
    const body = hasName ? part.text.slice(episode.length + 5) : part.text
    text += body.slice(repeatLength(before, body))
    before = body
  }
  return { id: episode, title: episode, text: text.replaceAll('\r\n', '\n') }
}

/** Characters of a repeat by which it is known: repeats have 278 at least, other ends that agree 2 at most. */
const minRepeat = 100

function repeatLength(before: string, part: string) {
  const at = occurrences(before, part.slice(0, minRepeat)).find((start) => part.startsWith(before.slice(start)))
  return at === undefined ? 0 : before.length - at
}
