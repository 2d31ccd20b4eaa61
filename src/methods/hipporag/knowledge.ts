import { unseenCalls } from '../../basics/metrics.ts'
import { groupBy, itemAt } from '../../basics/collections.ts'
import { groundingOf, groundingStats, groundingWarnings, type Ungrounded } from '../../tasks/grounding.ts'
import type { Triple } from '../../tasks/entities.ts'
import type { Matrix } from '../../math/vectors.ts'
import type { Chunk, Graph, Models, Budget, Passage, Trace } from '../../types.ts'
import { addTrace } from '../shared/add-trace.ts'
import { documentVectors } from '../shared/embed.ts'
import { importOpenIe, openIe } from '../shared/open-ie.ts'
import { languageOf } from '../../text/language.ts'
import { similarityJoin } from '../../math/similarity-join.ts'
import { highest } from '../../math/highest.ts'

/** A normalised triple; its ends as phrase rows, undefined if an end is empty; `times`: how often it is extracted. */
export interface Fact {
  readonly triple: Triple
  readonly subject: number | undefined
  readonly object: number | undefined
  readonly times: number
  /** Rows of the passages that state it, ascending. */
  readonly passages: readonly number[]
}

/**
 * Phrases and facts of all passages, in order of first occurrence. `holders`: rows of the passages with each phrase.
 */
export type Knowledge = ReturnType<typeof knowledgeOf>

/** The phrases and distinct facts of the triples of each passage. An end without a letter or digit is empty. */
export function knowledgeOf(triples: readonly (readonly Triple[])[], normal: Normal) {
  const all = triples.flatMap((list, passage) => {
    const normalTriples = list.map((raw) => normalTriple(raw, normal))
    return normalTriples.map((triple) => ({ triple, passage }))
  })
  const triplesWithEnds = all.filter(({ triple: [subject, , object] }) => subject !== '' || object !== '')
  const ends = triplesWithEnds.flatMap(({ triple: [subject, , object], passage }) => [
    { phrase: subject, passage },
    { phrase: object, passage },
  ])
  const mentions = ends.filter(({ phrase }) => phrase !== '')
  const groups = groupBy(mentions, ({ phrase }) => phrase)
  const rowOf = new Map(Array.from(groups.keys(), (phrase, row) => [phrase, row]))
  const passagesOf = (group: readonly { readonly passage: number }[]) => [
    ...new Set(group.map(({ passage }) => passage)),
  ]
  const facts = groupBy(triplesWithEnds, ({ triple }) => JSON.stringify(triple))
  return {
    phrases: [...groups.keys()],
    holders: Array.from(groups.values(), passagesOf),
    facts: Array.from(facts.values(), (group): Fact => {
      const [{ triple }] = group
      const subject = rowOf.get(triple[0])
      const object = rowOf.get(triple[2])
      return { triple, subject, object, times: group.length, passages: passagesOf(group) }
    }),
    // triples with two empty ends are not facts
    emptyTriples: all.length - triplesWithEnds.length,
    emptyEnds: ends.length - mentions.length,
  }
}

/** The options that the knowledge graph depends on. */
export const knowledgeOptions = ['openie', 'ungrounded', 'normalise'] as const

export interface KnowledgeOptions {
  readonly openie: string | null
  readonly ungrounded: Ungrounded
  readonly normalise: Normal
}

/** The index of both versions: passages, phrases with their vectors, facts, and edges between phrases. */
export type KnowledgeIndex = Awaited<ReturnType<typeof knowledgeIndex>>

/** OpenIE of every distinct passage, extracted or imported; then the graph of phrases. */
export async function knowledgeIndex(chunks: readonly Chunk[], models: Models, options: KnowledgeOptions) {
  const passages = distinctPassages(chunks)
  const texts = passages.map(({ text }) => text)
  const { openie, ungrounded } = options
  // imported facts are all retained
  const language = await languageOf(texts)
  const grounding = groundingOf(openie === null ? ungrounded : 'count', language)
  const { triples, ...losses } =
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
      relationEdges: edges.relations,
      synonymEdges: edges.synonyms,
      passagesWithoutTriples: triples.filter((passageTriples) => passageTriples.length === 0).length,
      ...groundingStats(grounding),
    },
    warnings: {
      [unseenCalls]: Number(openie !== null),
      'extraction replies that could not be read or were refused': losses.failures,
      'passages that the OpenIE file does not contain': losses.missing,
      'malformed triples': losses.malformedCount,
      ...groundingWarnings(grounding),
      [`triples of which normalise: ${options.normalise} leaves no phrase`]: knowledge.emptyTriples,
      [`ends of triples of which normalise: ${options.normalise} leaves nothing`]: knowledge.emptyEnds,
      'passages without a phrase': withoutPhrases,
    },
  }
}

/** The edges between phrases, then one of weight 1 from each passage, a node after the phrases, to each of its own. */
export function edgesWithPassages({ phrases, holders, edges }: KnowledgeIndex) {
  const passageNode = (row: number) => phrases.length + row
  const context = holders.flatMap((rows, phrase) => rows.map((row) => ({ from: passageNode(row), to: phrase })))
  return {
    from: [...edges.from, ...context.map(({ from }) => from)],
    to: [...edges.to, ...context.map(({ to }) => to)],
    weight: [...edges.weight, ...context.map(() => 1)],
  }
}

/** The drawing of phrases with their relations and synonyms, and with `context` of passages joined to their phrases. */
export function knowledgeGraph(knowledge: KnowledgeIndex, context: boolean): Graph {
  const { passages, phrases, edges } = knowledge
  const { from, to, weight } = context ? edgesWithPassages(knowledge) : edges
  const kindOf = (edge: number): string => {
    if (edge < edges.relations) return 'relation'
    return edge < edges.weight.length ? 'synonym' : 'context'
  }
  return {
    nodes: [
      ...phrases.map((text, row) => ({ id: `phrase ${row}`, kind: 'phrase', text })),
      ...(context ? passages.map(({ text }, row) => ({ id: `passage ${row}`, kind: 'passage', text })) : []),
    ],
    edges: Array.from(weight, (value, edge) => ({
      from: itemAt(from, edge),
      to: itemAt(to, edge),
      weight: value,
      kind: kindOf(edge),
    })),
  }
}

/** Lowest cosine at which two phrases are synonyms (both papers). */
const synonymThreshold = 0.8

/** Nearest phrases searched for synonyms, the phrase included, capped by the number retained (released code). */
const maxSynonyms = Math.min(101, 2047 - 1)

/**
 * Relation and synonym edges as in the reference's igraph (HippoRAG 2, section 3.1; its code): a triple adds 1 from
 * subject to object and 1 back as parallel edges, so that its weight counts double. A synonym replaces the relation in
 * its direction. Relations come first; `relations` and `synonyms`: their numbers.
 */
export function phraseEdges({ phrases, facts }: Knowledge, vectors: Matrix) {
  const count = phrases.length
  const weights = new Map<number, number>()
  const add = (from: number, to: number, weight: number) => {
    const key = from * count + to
    weights.set(key, (weights.get(key) ?? 0) + weight)
  }
  for (const { subject, object, times } of facts) {
    if (subject === undefined || object === undefined || subject === object) continue
    add(subject, object, times)
    add(object, subject, times)
  }
  const relations = weights.size
  let synonyms = 0
  for (const { from, to, score } of synonymsOf(phrases, vectors)) {
    weights.set(from * count + to, score)
    synonyms++
  }
  return {
    from: Uint32Array.from(weights.keys(), (key) => Math.floor(key / count)),
    to: Uint32Array.from(weights.keys(), (key) => key % count),
    weight: Float64Array.from(weights.values()),
    relations,
    synonyms,
  }
}

function* synonymsOf(phrases: readonly string[], vectors: Matrix) {
  let from = 0
  for (const similar of similarityJoin(vectors, synonymThreshold, maxSynonyms)) {
    if (itemAt(phrases, from).replaceAll(' ', '').length > 2)
      for (const { index: to, score } of similar) yield { from, to, score }
    from++
  }
}

/** Alphabet of normalised phrases. */
export type Normal = 'ascii' | 'unicode'

const otherCharacters = { ascii: /[^A-Za-z0-9 ]/gu, unicode: /[^\p{L}\p{M}\p{N} ]/gu }

/** A phrase in lower case, other characters replaced by spaces, trimmed (HippoRAG's text_processing). */
export const normalPhrase = (text: string, normal: Normal): string =>
  text.toLowerCase().replace(otherCharacters[normal], ' ').trim()

const normalTriple = ([subject, predicate, object]: Triple, normal: Normal): Triple => [
  normalPhrase(subject, normal),
  normalPhrase(predicate, normal),
  normalPhrase(object, normal),
]

/** The text of a fact that is embedded and compared: a tuple as Python prints it (reference). */
export const factText = (triple: Triple): string => `('${triple.join("', '")}')`

/** A text of the corpus, and the ids of all chunks with this text. */
export interface Source {
  readonly text: string
  readonly chunks: readonly string[]
}

/** Distinct texts, in order (HippoRAG identifies a passage by the hash of its text). */
function distinctPassages(chunks: readonly Chunk[]): readonly Source[] {
  const groups = groupBy(chunks, ({ text }) => text)
  return Array.from(groups, ([text, group]) => ({ text, chunks: group.map(({ id }) => id) }))
}

/** The score of every passage. `isReached`: whether the walk reaches it; all are if absent. */
interface PassageScores {
  readonly scores: Float64Array
  readonly isReached?: (row: number) => boolean
}

/** The best passages by score, ties in order; unreached ones only with `padding`. */
export function contextOf(
  passages: readonly Source[],
  { scores, isReached }: PassageScores,
  { qaTopK, padding }: { readonly qaTopK: number | null; readonly padding: boolean },
  budget: Budget,
  questionTrace: Trace,
  traceOf: (row: number) => Trace,
): readonly Passage[] {
  const unreachedCount = isReached ? passages.filter((_, row) => !isReached(row)).length : 0
  const ranking = highest(scores, Math.min(qaTopK ?? Infinity, budget.passages))
    .filter(({ index }) => padding || (isReached?.(index) ?? true))
    .map(({ index, score }): Passage => {
      const { text, chunks: from } = itemAt(passages, index)
      return { text, score, from, kind: 'chunk', why: traceOf(index) }
    })
  return addTrace(ranking, [], { ...questionTrace, ...(unreachedCount > 0 && { unreached: unreachedCount }) })
}
