import { memoiseWeakly } from '../../../basics/memoise.ts'
import type { AnswerQuestionInput } from '../../../tasks/answers.ts'
import { candidates } from './candidates.ts'
import { isHeading } from './language/headings.ts'
import type { Language } from './language/language.ts'
import { coverage, rarity, stems, stemsOf } from './language/overlap.ts'
import { denies, opposes } from './language/polarity.ts'
import { type AskedFor, askedFor } from './question.ts'
import type { Sentence } from './language/sentence.ts'
import { bestSpan, tellsNew } from './spans.ts'

/**
 * Answers with the best sentence of the context, or with its shortest span of the kind asked for; says that it cannot where the
 * context covers too little of the question or holds nothing of that kind. Without a context it knows nothing.
 */
export function answer(language: Language, { question, context, style }: AnswerQuestionInput): string {
  const asked = askedFor(language.line(question))
  const ranked = rankedSentences(language.read(context), asked)
  const best = ranked[0]
  if (style !== 'short') return best && best.covered > 0 ? best.sentence.text : 'The answer is not known.'
  if (!best || best.covered < (asked.wanted === 'yes-no' ? LEAST_COVERED_TO_AGREE : LEAST_COVERED))
    return 'unanswerable'
  if (asked.wanted === 'yes-no') return agree(best.sentence, asked) ? 'yes' : 'no'
  const span = bestSpan(ranked.slice(0, SENTENCES_READ), asked)
  return span ?? (TYPED.has(asked.wanted) ? 'unanswerable' : clause(best.sentence))
}

interface Ranked {
  readonly sentence: Sentence
  /** Share of the question, by weight, that the sentence holds. */
  readonly covered: number
  readonly score: number
}

/** Sentences by the share of the question that they hold, with a little for what their neighbours hold and for a span of the kind asked for. */
function rankedSentences(sentences: readonly Sentence[], asked: AskedFor): readonly Ranked[] {
  const weight = rarity(sentences)
  const nearby = stemsNearby(sentences)
  return sentences
    .map((sentence, index) => {
      const covered = coverage(asked.said, stems(sentence.words), weight)
      const around = coverage(asked.said, nearby[index] ?? new Set(), weight)
      const fits = candidates(sentence, asked).some((span) => tellsNew(sentence, span, asked))
      const worth = covered + NEIGHBOURS * (around - covered) + (fits ? FITTING : 0)
      return { sentence, covered, score: worth * (tells(sentence) ? 1 : 0.5), index }
    })
    .sort((a, b) => b.score - a.score || a.index - b.index)
}

/** The stems of each sentence and of those before and after it. */
const stemsNearby = memoiseWeakly((sentences: readonly Sentence[]) =>
  sentences.map((_, index) => stemsOf(sentences.slice(Math.max(0, index - 1), index + 2))),
)

/** Titles and questions answer nothing. */
const tells = (sentence: Sentence): boolean => !isHeading(sentence) && !sentence.text.endsWith('?')

const agree = (told: Sentence, { sentence, said }: AskedFor): boolean =>
  denies(told, said) === denies(sentence, said) && !opposes(told, sentence)

/** The part of a sentence before its first semicolon, without the full stop. */
const clause = (sentence: Sentence): string => (sentence.text.split(/;\s/)[0] ?? '').replace(/[.!?]+$/, '')

/** Kinds that a sentence either holds or not; a reason or a manner may be any clause. */
const TYPED: ReadonlySet<string> = new Set(['person', 'place', 'date', 'number'])

/** Share of the question below which the best sentence is taken not to answer it; yes or no wants more. */
const LEAST_COVERED = 0.3
const LEAST_COVERED_TO_AGREE = 0.5
const NEIGHBOURS = 0.25
const FITTING = 0.15
const SENTENCES_READ = 3
