import { z } from 'zod'
import { itemAt } from '../basics/collections.ts'
import { nearestShare, rankingDepth } from '../basics/metrics.ts'
import { defineMethod } from '../define.ts'
import { recursiveSplit } from '../text/recursive-split.ts'
import type { Chunk, Passage } from '../types.ts'
import { queryVector } from './shared/embed.ts'
import { connectDatabase } from './shared/pgvector/database.ts'
import { pgvectorRows } from './shared/pgvector/vectors.ts'
import { unitAt, type SourceUnit } from './shared/text-units.ts'
import { vectorRows } from './shared/vector-rows.ts'
import { wholeDocuments } from './shared/whole-documents.ts'
import { choice, share, wholeNumber } from './shared/options.ts'

const pgvector = z.strictObject({
  use: z.literal('pgvector'),
  url: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must be an address that begins with postgresql://, best as ${DATABASE_URL}')
    .refine((url) => !/[?&](ssl)?password=/i.test(url), 'must have its password before the @')
    .describe('Address of the database; it may hold a password, and does not tell results apart.'),
  search: choice(['hnsw', 'exact'], 'hnsw: approximately, by an HNSW index; exact: by a look at every vector'),
  ef: z
    .int()
    .min(1)
    .max(1000)
    .default(100)
    .describe(
      'How many vectors a search by the index keeps in view, at least as many as passages are asked for: more find more and take longer',
    ),
  sample: share(0.2, 'Share of the questions that are also searched exactly, which tells how much the index finds'),
})

const options = z
  .strictObject({
    chunkCharacters: z
      .union([z.literal('run'), z.int().min(1)])
      .default('run')
      .describe(
        "Longest piece in characters, cut at blank lines, lines, spaces (LangChain's recursive splitter); run: the chunks of the config",
      ),
    overlap: wholeNumber(
      0,
      200,
      'Characters that a piece repeats from the one before; not used with chunkCharacters: run',
    ),
    store: z
      .union([z.literal('memory'), pgvector])
      .default('memory')
      .describe(
        'Where vectors are searched: memory: in this process, exactly; or a mapping with use: pgvector, url, search, ef and sample: in PostgreSQL',
      ),
  })
  .refine(({ chunkCharacters, overlap }) => chunkCharacters === 'run' || overlap < chunkCharacters, {
    message: 'overlap must be smaller than chunkCharacters',
    path: ['overlap'],
  })

type VectorOptions = z.output<typeof options>

/** Dense retrieval ("RAG" or "VectorRAG" in most papers): exact search over the embedded chunks. */
export const vector = defineMethod({
  name: 'vector',
  summary: 'Ranks chunks by the cosine similarity of their embedding and the embedding of the question.',
  options,
  identity: ({ store, ...rest }) => ({ ...rest, store: store === 'memory' ? store : withoutAddress(store) }),
  async reach({ store }) {
    if (store === 'memory') return
    const database = await connectDatabase(store.url)
    await database.close()
  },
  async index(chunks, models, config) {
    const units = unitsOf(chunks, config)
    const texts = units.map(({ text }) => text)
    const { store } = config
    const databaseRows = store === 'memory' ? undefined : await pgvectorRows(texts, models, store)
    const vectors = databaseRows ?? (await vectorRows(texts, models))
    return {
      nested: store === 'memory' || store.search === 'exact' || store.ef >= rankingDepth,
      async retrieve({ text }, { passages }, models) {
        if (units.length === 0) return []
        const query = await queryVector(text, models)
        const nearest = await vectors.search(query, passages)
        const recall = await databaseRows?.recall(text, query, nearest, passages)
        return nearest.map(({ index, score }): Passage => {
          const unit = itemAt(units, index)
          const why = { cosine: score, ...(recall && { [nearestShare]: recall }) }
          const from = 'id' in unit ? [unit.id] : unit.from
          const passage = { text: unit.text, score, from, kind: 'chunk' as const, why }
          return 'id' in unit ? passage : { ...passage, spans: unit.spans }
        })
      },
      ...(databaseRows && { stats: () => ({ store: databaseRows.engine }) }),
      ...(vectors.close && { close: vectors.close }),
    }
  },
})

const withoutAddress = ({ url: _, ...store }: z.output<typeof pgvector>) => store

/** The chunks of the run, or pieces of their documents. */
function unitsOf(
  chunks: readonly Chunk[],
  { chunkCharacters: size, overlap }: VectorOptions,
): readonly (Chunk | Required<SourceUnit>)[] {
  if (size === 'run') return chunks
  return wholeDocuments(chunks).flatMap((document) =>
    recursiveSplit(document.text, { size, overlap }).map(({ start, end }) => unitAt(document, start, end)),
  )
}
