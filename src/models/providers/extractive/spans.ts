import { candidates } from './candidates.ts'
import { stems } from './language/overlap.ts'
import type { AskedFor } from './question.ts'
import { type Sentence, type Span, textOf } from './language/sentence.ts'

interface Scored {
  readonly sentence: Sentence
  readonly score: number
}

/** The words of the best span of the kind asked for in a few sentences, or none. */
export function bestSpan(sentences: readonly Scored[], asked: AskedFor): string | undefined {
  let best: { readonly text: string; readonly score: number } | undefined
  for (const { sentence, score } of sentences)
    for (const span of candidates(sentence, asked).filter((span) => tellsNew(sentence, span, asked))) {
      const here = score + fit(sentence, span, asked)
      if (!best || here > best.score) best = { text: textOf(sentence, span), score: here }
    }
  return best?.text
}

/** Whether a span holds a word that the question does not. */
export const tellsNew = (sentence: Sentence, { from, to }: Span, asked: AskedFor): boolean =>
  sentence.words.slice(from, to).some((word) => !asked.said.has(word.stem) && /[\p{L}\p{N}]/u.test(word.text))

/** Near the question's words, on the right side of its verb, with the noun asked for, and not made of the question itself. */
function fit(sentence: Sentence, span: Span, asked: AskedFor): number {
  const inside = [...stems(sentence.words.slice(span.from, span.to))]
  const repeated =
    inside.filter((stem) => asked.said.has(stem) && stem !== asked.head).length / Math.max(1, inside.length)
  const named = asked.head !== undefined && inside.includes(asked.head) ? NAMED : 0
  return NEAR * nearness(sentence, span, asked) + SIDE * side(sentence, span, asked) + named - REPEATED * repeated
}

/** Mean of 1 / distance in words to the question's words in the sentence. */
function nearness({ words }: Sentence, { from, to }: Span, asked: AskedFor): number {
  const distances = words.flatMap((word, index) =>
    asked.said.has(word.stem) && (index < from || index >= to) ? [index < from ? from - index : index - to + 1] : [],
  )
  return distances.length > 0 ? distances.reduce((sum, distance) => sum + 1 / distance, 0) / distances.length : 0
}

/** 1 where the span stands on that side of the question's verb where who acts (or suffers) stands; "by" turns the sides of a passive around. */
function side({ words }: Sentence, { from, to }: Span, asked: AskedFor): number {
  const verb = words.findIndex((word) => word.stem === asked.verb && (word.pos === 'VERB' || word.pos === 'ADJ'))
  if (verb < 0) return 0
  const passive = words[verb - 1]?.lemma === 'be' && words.slice(verb + 1, verb + 4).some((word) => word.text === 'by')
  return (asked.actor !== passive ? to <= verb : from > verb) ? 1 : 0
}

/** Weights against a sentence's score of 0 to about 1; set by hand on a page of our own. */
const NEAR = 0.3
const SIDE = 0.3
const NAMED = 0.2
const REPEATED = 0.3
