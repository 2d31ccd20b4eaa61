import type { Triple } from '../../tasks/entities/triple.ts'
import { normalTriple, type Normal } from './normalise.ts'

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
  /** Subjects and objects, in order of first occurrence; the entities that condition the extraction are no phrases by themselves. */
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
