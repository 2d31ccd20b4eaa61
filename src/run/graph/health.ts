import { itemAt, valueOf } from '../../basics/collections.ts'
import { buildGraph, connectedComponents } from '../../math/graph.ts'
import { seedFrom } from '../../math/random.ts'
import { groundingOf, termsOf } from '../../tasks/grounding.ts'
import { languageOf } from '../../text/language.ts'
import type { Chunk, Corpus, Graph, GraphHealth } from '../../types.ts'
import type { Locator } from '../asking/evidence.ts'

interface Origin {
  readonly chunks: readonly Chunk[]
  readonly corpus: Pick<Corpus, 'questions'>
  readonly locate: Pick<Locator, 'relevant'>
}

/** What is counted in a graph, and a sample of what was read in which text, as `IndexLine` has it. */
interface Measured {
  readonly health: GraphHealth
  readonly names: Readonly<Record<string, string>>
}

/** Counts what a graph holds, in time nearly linear in it, and how its entities lie to the texts and the evidence. */
export async function measureGraph(graph: Graph, { chunks, corpus, locate }: Origin): Promise<Measured> {
  const { nodes, edges, leftOut = 0 } = graph
  const isEntity = nodes.map(({ kind }) => entityKinds.has(kind))
  const ends = { from: edges.map(({ from }) => from), to: edges.map(({ to }) => to), weight: edges.map(() => 1) }
  const { offsets, targets } = buildGraph(nodes.length, ends)
  const others = nodes.map((_, node) => targets.subarray(offsets[node], offsets[node + 1]).filter((to) => to !== node))
  const sizes = new Map<number, number>()
  for (const one of connectedComponents({ offsets, targets })) sizes.set(one, (sizes.get(one) ?? 0) + 1)
  const isWhole = leftOut === 0
  const entities = entitiesOf(graph, others, chunks)
  const reached = new Set(entities.flatMap(({ from }) => from))
  const sourced = entities.filter(({ texts, form }) => texts.length > 0 && form !== '')
  const pieces = (sourced.length === 0 ? [] : corpus.questions).flatMap(({ evidence = [] }) =>
    evidence.map((piece) => locate.relevant([piece]).relevant).filter((held) => held.length > 0),
  )
  const health = {
    nodes: nodes.length,
    edges: others.reduce((sum, own) => sum + own.length, 0) / 2 + leftOut,
    withoutEdge: others.filter((own) => own.length === 0).length,
    components: isWhole ? sizes.size : null,
    largest: isWhole ? [...sizes.values()].reduce((most, size) => Math.max(most, size), 0) : null,
    entities: entities.length,
    unrelated: others.filter((own, node) => isEntity[node] && !own.some((to) => isEntity[to])).length,
    duplicates: duplicatesAmong(entities.map(({ form }) => form)),
    sourced: sourced.length,
    ungrounded: sourced.length - groundedAmong(sourced, await languageOf(chunks.map(({ text }) => text))),
    evidence: pieces.length,
    unmentioned: pieces.filter((held) => !held.some((id) => reached.has(id))).length,
  }
  return { health, names: namesByText(graph, entities, chunks) }
}

const entityKinds: ReadonlySet<string> = new Set(['entity', 'phrase', 'subject'])
const textKinds: ReadonlySet<string> = new Set(['chunk', 'passage', 'text unit'])

/** A node that is named by its text; `form`: its name as names are compared; what it was read from. */
interface Entity {
  readonly name: string
  readonly form: string
  readonly texts: readonly string[]
  /** The ids of the chunks of these texts, where they are known. */
  readonly from: readonly string[]
}

/** The entities with the chunks that they name in `from`, or else with the texts that an edge joins them to. */
function entitiesOf({ nodes }: Graph, others: readonly Uint32Array[], chunks: readonly Chunk[]): readonly Entity[] {
  const textOf = new Map(chunks.map(({ id, text }) => [id, text]))
  const idsOf = new Map<string, string[]>()
  for (const { id, text } of chunks) idsOf.set(text, [...(idsOf.get(text) ?? []), id])
  return nodes.flatMap(({ kind, text: name, from }, node): Entity[] => {
    if (!entityKinds.has(kind)) return []
    const form = termsOf(name).join(' ')
    if (from) return [{ name, form, from, texts: from.flatMap((id) => textOf.get(id) ?? []) }]
    const joined = Array.from(itemAt(others, node), (to) => itemAt(nodes, to)).filter((one) => textKinds.has(one.kind))
    const chunksOf = ({ id, text, from: own }: Graph['nodes'][number]): readonly string[] =>
      own ?? idsOf.get(text) ?? (textOf.has(id) ? [id] : [])
    return [{ name, form, texts: joined.map(({ text }) => text), from: joined.flatMap(chunksOf) }]
  })
}

/** How many entities have a name that stands in one of their texts, by the rule of `groundingOf`. */
function groundedAmong(entities: readonly Entity[], language: string | undefined): number {
  const grounding = groundingOf('drop', language)
  const byText = new Map<string, Entity[]>()
  for (const entity of entities)
    for (const text of entity.texts) {
      const own = byText.get(text)
      if (own) own.push(entity)
      else byText.set(text, [entity])
    }
  const grounded = new Set<Entity>()
  for (const [text, own] of byText) {
    const asked = own.filter((entity) => !grounded.has(entity))
    for (const entity of grounding.on(text)({}, asked, ({ name }) => ({ names: [name] }))) grounded.add(entity)
  }
  return grounded.size
}

/** The letters that a name, and the word in which it differs from another one, have at least. */
const [fewestLetters, fewestInWord] = [8, 5]

/**
 * How many names are left over where nearly equal ones become one: those of equal words without accents, articles and
 * plurals, and those of 8 letters or more, without a digit, that differ in one letter of a word of 5 or more.
 */
function duplicatesAmong(forms: readonly string[]): number {
  const known = forms.filter((form) => form !== '')
  const numberOf = new Map([...new Set(known)].map((form, number) => [form, number]))
  const group = Uint32Array.from(numberOf.values())
  const first = (number: number): number => {
    for (; group[number] !== number; number = itemAt(group, number))
      group[number] = itemAt(group, itemAt(group, number))
    return number
  }
  let groups = numberOf.size
  const join = (a: number, b: number): void => {
    const [one, other] = [first(a), first(b)]
    if (one !== other) groups--
    group[Math.max(one, other)] = Math.min(one, other)
  }
  // names that differ in the letter at one place are equal without it
  const without = new Map<string, number>()
  for (const [form, number] of numberOf) {
    if (form.length < fewestLetters || /\p{N}/u.test(form)) continue
    for (const { 0: word, index } of form.matchAll(/\S+/g)) {
      for (let at = index; word.length >= fewestInWord && at < index + word.length; at++) {
        const rest = form.slice(0, at) + form.slice(at + 1)
        const shorter = rest.length >= fewestLetters ? numberOf.get(rest) : undefined
        if (shorter !== undefined) join(number, shorter)
        const key = `${at} ${rest}`
        const same = without.get(key)
        if (same === undefined) without.set(key, number)
        else join(number, same)
      }
    }
  }
  return known.length - groups
}

/** The texts of one graph whose names are kept, so that another graph's can be compared with them. */
const mostTexts = 50

/**
 * The texts with the smallest hashes, which are the same whatever method reads them, and the hashes of the names that
 * were read there, in order: 6 hexadecimal digits each.
 */
function namesByText({ nodes }: Graph, entities: readonly Entity[], chunks: readonly Chunk[]): Measured['names'] {
  if (!entities.some(({ texts }) => texts.length > 0)) return {}
  const own = nodes.filter(({ kind }) => textKinds.has(kind))
  const hashes = new Map((own.length > 0 ? own : chunks).map(({ text }) => [text, hexOf(text, 8)]))
  const texts = [...hashes].sort(([, a], [, b]) => (a < b ? -1 : 1)).slice(0, mostTexts)
  const named = new Map(texts.map(([text]) => [text, new Set<string>()]))
  for (const { form, texts: read } of entities) for (const text of read) named.get(text)?.add(hexOf(form, 6))
  return Object.fromEntries(texts.map(([text, hash]) => [hash, [...valueOf(named, text)].sort().join('')]))
}

const hexOf = (text: string, digits: number): string => seedFrom(text).toString(16).padStart(8, '0').slice(0, digits)
