import { z } from 'zod'
import { groupBy } from '../../basics/collections.ts'
import { once } from '../../basics/memoise.ts'
import { noRecord, unseenCalls } from '../../basics/metrics.ts'
import { defineMethod, fileOption } from '../../define.ts'
import { UserError } from '../../errors.ts'
import { lettersOf } from '../../text/characters.ts'
import type { Chunk, Passage, Query } from '../../types.ts'
import { foreignPassages } from '../shared/foreign-passages.ts'
import { wholeDocuments, type WholeDocument } from '../shared/whole-documents.ts'
import { readRecords, type RecordedOutput, type RecordedPassage } from './read-records.ts'

const options = z.strictObject({
  path: fileOption(
    z
      .string()
      .default('')
      .describe(
        "The file, relative to the config: JSON lines or an array (RAGAS's, BenchmarkQED's, RAGBench's, fast-graphrag's), CSV with named columns, or a run of TREC. A record names its question by `id` or `question` and has `answer`, `contexts`, or both.",
      ),
  ),
  answers: z
    .enum(['recorded', 'run'])
    .default('recorded')
    .describe(
      "recorded: the recorded answers are the row's, without a call; contexts stay as long as they were, whatever the budget, and the row is marked and not compared with the others. run: the ranking alone is taken and cut to the budget, and the model of the run answers; with answers: none of the run nobody does.",
    ),
  titles: z
    .enum(['exact', 'cut'])
    .default('exact')
    .describe(
      'What a passage of which only the title is recorded stands for. exact: the document with this id or first line. cut: where there is none, every document whose title goes on with a colon or comma, which is the most that titles cut there can have meant.',
    ),
})

type Options = z.output<typeof options>

/** Outputs of another system on questions of the run's dataset, as a row: nothing is asked of it. */
export const recorded = defineMethod({
  name: 'recorded',
  summary: 'Takes answers, contexts or rankings that another system gave, from a file; its prompt was its own.',
  options,
  answers: ({ answers }) => answers === 'recorded',
  async requires(chosen) {
    const records = await readUseful(chosen)
    return records.some(({ passages }) => passages) ? {} : { ranks: false }
  },
  async index(chunks, _models, chosen) {
    const { path, answers, titles } = chosen
    const records = await readUseful(chosen)
    const recordOf = finder(records, path)
    const place = placer(chunks, titles)
    return {
      ...(answers === 'recorded' ? { isExemptFromBudget: true as const } : { nested: true }),
      stats: () => ({ records: records.length }),
      warnings: () => ({ [unseenCalls]: 1 }),
      async retrieve(query, budget) {
        const { passages, where } = recordOf(query)
        if (!passages && answers === 'run') throw new Error(`${where}: has no contexts to answer from`)
        return place(passages ?? []).slice(0, budget.passages)
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

/** The records of the file. Throws UserError where it holds nothing of what the row is made of. */
async function readUseful({ path, answers }: Options): Promise<readonly RecordedOutput[]> {
  if (path === '') throw new UserError('the method "recorded" needs the file of the outputs: set "path"')
  const records = await readRecords(path)
  if (answers === 'recorded' && records.every(({ answer }) => answer === undefined))
    throw new UserError(`${path}: holds no answers; set answers: run, which takes its contexts alone`)
  if (answers === 'run' && records.every(({ passages }) => passages === undefined))
    throw new UserError(`${path}: holds no contexts to answer from; leave out answers: run`)
  return records
}

/** Finds the record of a question by its id, then by its text, then by the letters and digits of that. */
function finder(records: readonly RecordedOutput[], path: string): (query: Query) => RecordedOutput {
  const byId = new Map(records.map((record) => [record.id, record]))
  const byText = new Map(records.map((record) => [record.question, record]))
  const byLetters = new Map(records.map((record) => [keyOf(record.question ?? ''), record]))
  byLetters.delete('')
  return ({ id, text }) => {
    const found = byId.get(id) ?? byText.get(text.trim()) ?? byLetters.get(keyOf(text))
    if (!found) throw new Error(`${path}: ${noRecord}`)
    return found
  }
}

const keyOf = (text: string): string => lettersOf(text).toLowerCase()

/** What the first passage says where titles or ids are not in the corpus: their evidence is not counted. */
const unknownNames = 'titles or ids that are not those of the corpus'

/** Finds recorded passages in the corpus, best first, each once. */
function placer(
  chunks: readonly Chunk[],
  titles: Options['titles'],
): (recorded: readonly RecordedPassage[]) => readonly Passage[] {
  const readTexts = foreignPassages(chunks)
  const named = once(() => namedBy(chunks, titles))
  return (recorded) => {
    const distinct = [...new Map(recorded.map((one) => [JSON.stringify(one), one])).values()]
    const texts = distinct.flatMap((one) => ('text' in one ? [one] : []))
    if (texts.length === distinct.length) return readTexts(texts, Infinity)
    const all = distinct.flatMap((one): readonly Placed[] => {
      if ('text' in one) return readTexts([one], 1).map(({ score: _, ...passage }) => passage)
      const { name, score } = one
      const found = named()(name)
      if (score === undefined) return found.length > 0 ? found : [{ text: name, from: [], kind: 'chunk' }]
      // an id that is not that of the corpus may be judged all the same
      const unknown = { text: name, from: [], kind: 'chunk', spans: [{ documentId: name, start: 0, end: 0 }] } as const
      return (found.length > 0 ? found : [unknown]).map((passage) => ({ ...passage, score }))
    })
    const groups = groupBy(all, ({ text, from }) => JSON.stringify([text, from]))
    const kept = Array.from(groups.values(), ([first]) => first)
    // as often as they are recorded
    const lost = recorded.filter((one) => 'name' in one && named()(one.name).length === 0).length
    const notFound = lost === 0 ? {} : { why: { fallback: unknownNames, notFound: lost } }
    return kept.map((one, rank) => ({ score: 1 / (rank + 1), ...one, ...(rank === 0 && notFound) }))
  }
}

/** A passage with its score where one is recorded. */
type Placed = Omit<Passage, 'score'> & { readonly score?: number }

/** The chunk or document of an id, or the document of a title, which is its first line. */
function namedBy(
  chunks: readonly Chunk[],
  titles: Options['titles'],
): (name: string) => readonly Omit<Passage, 'score'>[] {
  const byChunk = new Map(chunks.map((chunk) => [chunk.id, chunk]))
  const documents = wholeDocuments(chunks)
  const byId = new Map(documents.map((document) => [document.id, document]))
  const titleOf = ({ text }: WholeDocument): string => text.split('\n', 1).join('').trim()
  const byTitle = groupBy(documents, titleOf)
  const byStart = groupBy(documents, (document) => titleOf(document).split(/[:,]/, 1).join('').trim())
  const whole = ({ id, text, chunks: own }: WholeDocument): Omit<Passage, 'score'> => ({
    text,
    kind: 'chunk',
    from: own.map((chunk) => chunk.id),
    spans: [{ documentId: id, start: 0, end: text.length }],
  })
  return (name) => {
    const chunk = byChunk.get(name)
    if (chunk) return [{ text: chunk.text, kind: 'chunk', from: [chunk.id] }]
    const known = byId.get(name)
    const found = known ? [known] : (byTitle.get(name) ?? (titles === 'cut' ? byStart.get(name) : undefined))
    return (found ?? []).map(whole)
  }
}
