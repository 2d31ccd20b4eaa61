import { unseenCalls } from '../../basics/metrics.ts'
import { groupBy, itemAt } from '../../basics/collections.ts'
import { groundingOf, groundingStats, groundingWarnings, type Ungrounded } from '../../tasks/grounding.ts'
import type { Triple } from '../../tasks/entities.ts'
import type { Matrix } from '../../math/vectors.ts'
import type { Chunk, Graph, IndexStats, Models } from '../../types.ts'
import { documentVectors } from '../shared/embed.ts'
import { importOpenIe, openIe } from '../shared/open-ie.ts'
import { languageOf } from '../../text/language.ts'
import type { Edges } from '../../math/graph.ts'
import { similarityJoin } from '../../math/similarity-join.ts'

/** A normal triple; its ends as phrases, undefined where nothing is left of one; how often it was found, and where. */
export interface Fact {
  readonly triple: Triple
  readonly subject: number | undefined
  readonly object: number | undefined
  readonly times: number
  /** Rows of the passages that state it, ascending. */
  readonly passages: readonly number[]
}

/** What all passages say together. */
export interface Knowledge {
  /** Subjects and objects, in order of first occurrence; entities that condition the extraction are none. */
  readonly phrases: readonly string[]
  /** Of each phrase, the rows of the passages that hold it, ascending. */
  readonly holders: readonly (readonly number[])[]
  readonly facts: readonly Fact[]
  /** Triples of which no end is left, which are no facts. */
  readonly emptyTriples: number
  /** Ends of facts of which nothing is left. */
  readonly emptyEnds: number
}

/** The phrases and distinct facts of the triples of each passage. An end without a letter or digit is no phrase. */
export function knowledgeOf(triples: readonly (readonly Triple[])[], normal: Normal): Knowledge {
  const phrases = new Map<string, { readonly row: number; readonly holders: Set<number> }>()
  const facts = new Map<string, { readonly triple: Triple; times: number; readonly passages: Set<number> }>()
  let emptyTriples = 0
  let emptyEnds = 0
  const place = (phrase: string, passage: number) => {
    if (phrase === '') return
    const known = phrases.get(phrase) ?? { row: phrases.size, holders: new Set() }
    known.holders.add(passage)
    phrases.set(phrase, known)
  }
  for (const [passage, own] of triples.entries()) {
    for (const raw of own) {
      const triple = normalTriple(raw, normal)
      const [subject, , object] = triple
      if (subject === '' && object === '') {
        emptyTriples++
        continue
      }
      if (subject === '' || object === '') emptyEnds++
      place(subject, passage)
      place(object, passage)
      const key = JSON.stringify(triple)
      const fact = facts.get(key) ?? { triple, times: 0, passages: new Set() }
      fact.times++
      fact.passages.add(passage)
      facts.set(key, fact)
    }
  }
  return {
    phrases: [...phrases.keys()],
    holders: Array.from(phrases.values(), ({ holders }) => [...holders]),
    facts: Array.from(facts.values(), ({ triple, times, passages }) => ({
      triple,
      subject: phrases.get(triple[0])?.row,
      object: phrases.get(triple[2])?.row,
      times,
      passages: [...passages],
    })),
    emptyTriples,
    emptyEnds,
  }
}

/** The options that knowledge depends on. */
export const knowledgeOptions = ['openie', 'ungrounded', 'normalise'] as const

export interface KnowledgeOptions {
  readonly openie: string | null
  readonly ungrounded: Ungrounded
  readonly normalise: Normal
}

/** What both versions of HippoRAG build: passages, phrases with their vectors, facts, and the edges between phrases. */
export interface KnowledgeIndex extends Knowledge {
  readonly passages: readonly Source[]
  /** Of the passages, by ISO 639-1; undefined where it cannot be said. */
  readonly language: string | undefined
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
  const { openie, ungrounded } = options
  // what was imported is kept as it is
  const language = await languageOf(texts)
  const grounding = groundingOf(openie === null ? ungrounded : 'count', language)
  const { triples, ...lost } =
    openie === null ? await openIe(texts, models, grounding) : await importOpenIe(openie, texts, grounding)
  const knowledge = knowledgeOf(triples, options.normalise)
  const phraseVectors = await documentVectors(knowledge.phrases, models)
  const edges = phraseEdges(knowledge, phraseVectors)
  const withoutPhrases = passages.length - new Set(knowledge.holders.flat()).size
  return {
    ...knowledge,
    language,
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
      triplesMalformed: lost.malformedCount,
      triplesRepeated: lost.repeatedCount,
      passagesNotImported: lost.missing,
      ...groundingStats(grounding),
    },
    warnings: {
      [unseenCalls]: Number(openie !== null),
      'extraction replies that could not be read or were refused': lost.failures,
      'passages that the OpenIE file does not contain': lost.missing,
      'malformed triples': lost.malformedCount,
      ...groundingWarnings(grounding),
      [`triples of which normalise: ${options.normalise} leaves no phrase`]: knowledge.emptyTriples,
      [`ends of triples of which normalise: ${options.normalise} leaves nothing`]: knowledge.emptyEnds,
      'passages without a phrase': withoutPhrases,
    },
  }
}

/** Phrases, then passages; relations, synonyms, and with `context` an edge from each passage to its phrases. */
export function knowledgeGraph({ passages, phrases, holders, edges }: KnowledgeIndex, context: boolean): Graph {
  return {
    nodes: [
      ...phrases.map((text, row) => ({ id: `phrase ${row}`, kind: 'phrase', text })),
      ...(context ? passages.map(({ text }, row) => ({ id: `passage ${row}`, kind: 'passage', text })) : []),
    ],
    edges: [
      ...Array.from(edges.weight, (weight, edge) => ({
        from: itemAt(edges.from, edge),
        to: itemAt(edges.to, edge),
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

/** Edges between phrases, the relations first, and how they came about. */
interface PhraseEdges extends Edges {
  readonly relations: number
  readonly facts: {
    readonly relationPairs: number
    readonly relationEdges: number
    readonly synonymEdges: number
    readonly synonymsOnRelations: number
    readonly selfLoopsDropped: number
  }
}

/** Lowest cosine at which two phrases are synonyms (both papers). */
const synonymThreshold = 0.8

/** Nearest phrases searched for synonyms, the phrase itself included, and the most that are kept (released code). */
const mostSynonyms = Math.min(101, 2047 - 1)

/**
 * Relation and synonym edges as igraph sees them in the reference (section 3.1 of HippoRAG 2; its code): a triple adds
 * 1 from subject to object and 1 back, which become two parallel edges, so that its weight counts double. A synonym
 * found from one phrase to another takes the place of the relation in that direction.
 */
export function phraseEdges({ phrases, facts }: Knowledge, vectors: Matrix): PhraseEdges {
  const count = phrases.length
  const weights = new Map<number, number>()
  const loops = new Set<number>()
  const add = (from: number, to: number, weight: number) => {
    const key = from * count + to
    weights.set(key, (weights.get(key) ?? 0) + weight)
  }
  for (const { subject, object, times } of facts) {
    if (subject === undefined || object === undefined) continue
    if (subject === object) loops.add(subject)
    else {
      add(subject, object, times)
      add(object, subject, times)
    }
  }
  const relations = weights.size
  let synonymEdges = 0
  let onRelations = 0
  for (const { from, to, score } of synonymsOf(phrases, vectors)) {
    const key = from * count + to
    if (weights.has(key)) onRelations++
    synonymEdges++
    weights.set(key, score)
  }
  return {
    from: Uint32Array.from(weights.keys(), (key) => Math.floor(key / count)),
    to: Uint32Array.from(weights.keys(), (key) => key % count),
    weight: Float64Array.from(weights.values()),
    relations,
    facts: {
      relationPairs: relations / 2,
      relationEdges: relations,
      synonymEdges,
      synonymsOnRelations: onRelations,
      selfLoopsDropped: loops.size,
    },
  }
}

/** From each phrase long enough to mean something to the phrases most like it. */
function* synonymsOf(phrases: readonly string[], vectors: Matrix) {
  let from = 0
  for (const similar of similarityJoin(vectors, synonymThreshold, mostSynonyms)) {
    if (itemAt(phrases, from).replaceAll(' ', '').length > 2)
      for (const { index: to, score } of similar) yield { from, to, score }
    from++
  }
}

/** Which characters of a phrase count. */
export type Normal = 'ascii' | 'unicode'

const notKept = { ascii: /[^A-Za-z0-9 ]/gu, unicode: /[^\p{L}\p{M}\p{N} ]/gu }

/** A phrase in lower case, every other character a space, stripped at the ends (HippoRAG's text_processing). */
export const normalPhrase = (text: string, normal: Normal): string =>
  text.toLowerCase().replace(notKept[normal], ' ').trim()

/** A triple of normal phrases. */
const normalTriple = ([subject, predicate, object]: Triple, normal: Normal): Triple => [
  normalPhrase(subject, normal),
  normalPhrase(predicate, normal),
  normalPhrase(object, normal),
]

/** A fact as it is embedded and compared: the form in which Python writes a tuple, which the reference embeds. */
export const factText = (triple: Triple): string => `('${triple.join("', '")}')`

/** A text of the corpus, and the ids of all chunks that read so. */
export interface Source {
  readonly text: string
  readonly chunks: readonly string[]
}

/** Each text once, in order (HippoRAG names a passage by the hash of its text). */
const distinctPassages = (chunks: readonly Chunk[]): readonly Source[] =>
  Array.from(
    groupBy(chunks, ({ text }) => text),
    ([text, same]) => ({ text, chunks: same.map(({ id }) => id) }),
  )
