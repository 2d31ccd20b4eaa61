import type { Matrix } from '../../math/vectors.ts'
import type { Chunk, Graph, IndexStats, Models } from '../../types.ts'
import { documentVectors } from '../shared/embed.ts'
import { importOpenIe } from '../shared/open-ie/import.ts'
import { openIe } from '../shared/open-ie/open-ie.ts'
import { knowledgeOf, type Knowledge } from './knowledge.ts'
import type { Normal } from './normalise.ts'
import { distinctPassages, type Source } from './passages.ts'
import { phraseEdges, type PhraseEdgeOptions, type PhraseEdges } from './phrase-edges.ts'

export interface KnowledgeOptions extends PhraseEdgeOptions {
  readonly openie: string | null
  readonly normalize: Normal
}

/** The options that knowledge depends on. */
export const knowledgeOptions: readonly (keyof KnowledgeOptions)[] = [
  'openie',
  'normalize',
  'synonymThreshold',
  'synonymK',
  'maxSynonyms',
  'synonymMode',
  'relationWeight',
]

/** What both versions of HippoRAG build: passages, phrases with their vectors, facts, and the edges between phrases. */
export interface KnowledgeIndex extends Knowledge {
  readonly passages: readonly Source[]
  readonly phraseVectors: Matrix
  readonly edges: PhraseEdges
  readonly stats: IndexStats
  /** In words that end a note. */
  readonly warnings: Readonly<Record<string, number>>
}

/** OpenIE of every distinct passage, or as it was imported; then the knowledge graph without passages. */
export async function knowledgeIndex(
  chunks: readonly Chunk[],
  models: Models,
  options: KnowledgeOptions,
): Promise<KnowledgeIndex> {
  const passages = distinctPassages(chunks)
  const texts = passages.map(({ text }) => text)
  const { triples, ...lost } =
    options.openie === null ? await openIe(texts, models) : await importOpenIe(options.openie, texts)
  const knowledge = knowledgeOf(triples, options.normalize)
  const phraseVectors = await documentVectors(knowledge.phrases, models)
  const edges = phraseEdges(knowledge, phraseVectors, options)
  const withoutPhrases = passages.length - new Set(knowledge.holders.flat()).size
  return {
    ...knowledge,
    passages,
    phraseVectors,
    edges,
    stats: {
      passages: passages.length,
      phrases: knowledge.phrases.length,
      facts: knowledge.facts.length,
      triples: knowledge.facts.reduce((sum, { times }) => sum + times, 0),
      ...edges.facts,
      passagesWithoutTriples: triples.filter((own) => own.length === 0).length,
      passagesWithoutPhrases: withoutPhrases,
      triplesWithoutPhrases: knowledge.emptyTriples,
      endsWithoutPhrase: knowledge.emptyEnds,
      parseFailures: lost.failures,
      triplesMalformed: lost.malformed,
      triplesRepeated: lost.repeated,
      passagesNotImported: lost.missing,
    },
    warnings: {
      'extraction replies that could not be read or were refused': lost.failures,
      'passages that the OpenIE file does not contain': lost.missing,
      'malformed triples': lost.malformed,
      [`triples of which normalize: ${options.normalize} leaves no phrase`]: knowledge.emptyTriples,
      [`ends of triples of which normalize: ${options.normalize} leaves nothing`]: knowledge.emptyEnds,
      'passages without a phrase': withoutPhrases,
    },
  }
}

/** Phrases, then passages; relations, synonyms, and where `context` is wanted an edge from each passage to its phrases. */
export function knowledgeGraph({ passages, phrases, holders, edges }: KnowledgeIndex, context: boolean): Graph {
  return {
    nodes: [
      ...phrases.map((text, row) => ({ id: `phrase ${row}`, kind: 'phrase', text })),
      ...(context ? passages.map(({ text }, row) => ({ id: `passage ${row}`, kind: 'passage', text })) : []),
    ],
    edges: [
      ...Array.from(edges.weight, (weight, edge) => ({
        from: edges.from[edge] ?? 0,
        to: edges.to[edge] ?? 0,
        weight,
        kind: edge < edges.relations ? 'relation' : 'synonym',
      })),
      ...(context
        ? holders.flatMap((own, phrase) =>
            own.map((passage) => ({ from: phrases.length + passage, to: phrase, weight: 1, kind: 'context' })),
          )
        : []),
    ],
  }
}
