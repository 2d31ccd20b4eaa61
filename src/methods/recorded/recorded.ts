import { z } from 'zod'
import { groupBy } from '../../basics/collections.ts'
import { once } from '../../basics/memoise.ts'
import { unseenCalls } from '../../basics/metrics.ts'
import { defineMethod, fileOption } from '../../define.ts'
import { UserError } from '../../errors.ts'
import { lettersOf } from '../../text/characters.ts'
import type { Chunk, Passage, Query } from '../../types.ts'
import { externalPassageReader } from '../shared/external-passages.ts'
import { wholeDocuments, wholePassage, type WholeDocument } from '../shared/whole-documents.ts'
import { readRecords, type RecordedOutput, type RecordedPassage } from './read-records.ts'
import { choice } from '../shared/options.ts'

const options = z.strictObject({
  path: fileOption(
    z
      .string()
      .default('')
      .describe(
        "Relative to the config: JSON lines or an array (RAGAS's, BenchmarkQED's, RAGBench's, fast-graphrag's), CSV, or a run of TREC. A record has `id` or `question`, and `answer`, `contexts`, or both.",
      ),
  ),
  answers: choice(
    ['recorded', 'run'],
    'recorded: the recorded answers count, without a call; contexts are exempt from the budget, and the row is marked and not compared. run: the ranking is cut to the budget, and the model of the run answers.',
  ),
  titles: choice(
    ['exact', 'cut'],
    'What a recorded title stands for. exact: the document with this id or first line. cut: where there is none, every document whose title goes on with a colon or comma.',
  ),
})

type Options = z.output<typeof options>

/** Recorded outputs of another system for the questions of the dataset, without calls. */
export const recorded = defineMethod({
  name: 'recorded',
  summary: 'Takes answers, contexts or rankings that another system gave, from a file; its prompt was its own.',
  options,
  answers: ({ answers }) => answers === 'recorded',
  async requires(config) {
    const records = await readUseful(config)
    return records.some(({ passages }) => passages) ? {} : { ranks: false }
  },
  async index(chunks, _models, config) {
    const { path, answers, titles } = config
    const records = await readUseful(config)
    const recordOf = recordFinder(records, path)
    const placePassages = passagePlacer(chunks, titles)
    return {
      ...(answers === 'recorded' ? { isExemptFromBudget: true as const } : { nested: true }),
      warnings: () => ({ [unseenCalls]: 1 }),
      async retrieve(query, budget) {
        const { passages, where } = recordOf(query)
        if (!passages && answers === 'run') throw new Error(`${where}: has no contexts to answer from`)
        return placePassages(passages ?? []).slice(0, budget.passages)
      },
      ...(answers === 'recorded' && {
        async answer(query) {
          const { answer, where } = recordOf(query)
          if (answer === undefined) throw new Error(`${where}: has an empty answer`)
          return answer
        },
      }),
    }
  },
})

/** The records of the file. Throws UserError if it lacks the answers or contexts that the row needs. */
async function readUseful({ path, answers }: Options): Promise<readonly RecordedOutput[]> {
  if (path === '') throw new UserError('the method "recorded" needs the file of the outputs: set "path"')
  const records = await readRecords(path)
  if (answers === 'recorded' && records.every(({ answer }) => answer === undefined))
    throw new UserError(`${path}: holds no answers; set answers: run, which takes its contexts alone`)
  if (answers === 'run' && records.every(({ passages }) => passages === undefined))
    throw new UserError(`${path}: holds no contexts to answer from; leave out answers: run`)
  return records
}

function recordFinder(records: readonly RecordedOutput[], path: string): (query: Query) => RecordedOutput {
  const byId = new Map(records.map((record) => [record.id, record]))
  const byText = new Map(records.map((record) => [record.question, record]))
  const byLetters = new Map(records.map((record) => [keyOf(record.question ?? ''), record]))
  byLetters.delete('')
  return ({ id, text }) => {
    const record = byId.get(id) ?? byText.get(text.trim()) ?? byLetters.get(keyOf(text))
    if (!record) throw new Error(`${path}: has no record of this question`)
    return record
  }
}

const keyOf = (text: string): string => lettersOf(text).toLowerCase()

const unknownNames = 'titles or ids that are not those of the corpus'

function passagePlacer(
  chunks: readonly Chunk[],
  titles: Options['titles'],
): (recordedPassages: readonly RecordedPassage[]) => readonly Passage[] {
  const readTexts = externalPassageReader(chunks)
  const nameResolver = once(() => resolverOf(chunks, titles))
  return (recordedPassages) => {
    const byKey = new Map(recordedPassages.map((passage) => [JSON.stringify(passage), passage]))
    const distinct = [...byKey.values()]
    const texts = distinct.flatMap((passage) => ('text' in passage ? [passage] : []))
    if (texts.length === distinct.length) return readTexts(texts, Infinity)
    const all = distinct.flatMap((recordedPassage): readonly PlacedPassage[] => {
      if ('text' in recordedPassage) return readTexts([recordedPassage], 1).map(withoutScore)
      const { name, score } = recordedPassage
      const matches = nameResolver()(name)
      if (score === undefined) return matches.length > 0 ? matches : [{ text: name, from: [], kind: 'chunk' }]
      // relevance judgements may contain an id that the corpus lacks
      const unknown = { text: name, from: [], kind: 'chunk', spans: [{ documentId: name, start: 0, end: 0 }] } as const
      const passages = matches.length > 0 ? matches : [unknown]
      return passages.map((passage) => ({ ...passage, score }))
    })
    const groups = groupBy(all, ({ text, from }) => JSON.stringify([text, from]))
    const passages = Array.from(groups.values(), ([first]) => first)
    // duplicates count
    const unknownCount = recordedPassages.filter(
      (passage) => 'name' in passage && nameResolver()(passage.name).length === 0,
    ).length
    const notFound = unknownCount === 0 ? {} : { why: { fallback: unknownNames, notFound: unknownCount } }
    return passages.map((passage, rank) => ({ score: 1 / (rank + 1), ...passage, ...(rank === 0 && notFound) }))
  }
}

/** A located passage, with the recorded score if there is one. */
type PlacedPassage = Omit<Passage, 'score'> & { readonly score?: number }

const withoutScore = ({ score: _, ...passage }: Passage): Omit<Passage, 'score'> => passage

/** Resolves the id of a chunk or document, or a title, which is a first line. */
function resolverOf(
  chunks: readonly Chunk[],
  titles: Options['titles'],
): (name: string) => readonly Omit<Passage, 'score'>[] {
  const byChunk = new Map(chunks.map((chunk) => [chunk.id, chunk]))
  const documents = wholeDocuments(chunks)
  const byId = new Map(documents.map((document) => [document.id, document]))
  const titleOf = ({ text }: WholeDocument): string => text.split('\n', 1).join('').trim()
  const byTitle = groupBy(documents, titleOf)
  const titleStartOf = (document: WholeDocument): string => titleOf(document).split(/[:,]/, 1).join('').trim()
  const byStart = groupBy(documents, titleStartOf)
  return (name) => {
    const chunk = byChunk.get(name)
    if (chunk) return [{ text: chunk.text, kind: 'chunk', from: [chunk.id] }]
    const document = byId.get(name)
    const startMatches = titles === 'cut' ? byStart.get(name) : undefined
    const matches = document ? [document] : (byTitle.get(name) ?? startMatches ?? [])
    return matches.map((match) => withoutScore(wholePassage(match)))
  }
}
