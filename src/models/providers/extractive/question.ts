import { lower, type Sentence, type Word, wordSet } from './language.ts'
import { stems } from './overlap.ts'
import { phrases } from './phrases.ts'

/** What a question asks for. */
type Wanted = 'yes-no' | 'person' | 'place' | 'date' | 'number' | 'reason' | 'manner' | 'thing'

/** A question taken apart. */
export interface AskedFor {
  readonly sentence: Sentence
  readonly wanted: Wanted
  /** Stems of what the question says. */
  readonly said: ReadonlySet<string>
  /** Stem of the noun that the answer is: "Which dataset …". */
  readonly head?: string
  /** Whether more than one thing is asked for: "Which datasets …". */
  readonly several: boolean
  /** Stem of the main verb, where there is one. */
  readonly verb?: string
  /** Whether the answer does what the verb says ("Who built it?") rather than suffers it ("What did he build?"). */
  readonly isActor: boolean
}

/** Takes a question apart by its question word and the order of its words. */
export function askedFor(sentence: Sentence): AskedFor {
  const { words } = sentence
  const at = words.findIndex((word) => QUESTION_WORDS.has(lower(word)))
  const verb = mainVerb(words, at)
  const head = at < 0 ? undefined : headOf(sentence, at)
  const headWord = words[head ?? -1]
  const between = words.slice((head ?? at) + 1, verb)
  return {
    sentence,
    wanted: wantedOf(words, at, headWord ?? measure(sentence, at, verb)),
    said: stems(words.filter((word) => !QUESTION_WORDS.has(lower(word)))),
    several: headWord !== undefined && lower(headWord) !== headWord.lemma.toLowerCase(),
    isActor: at >= 0 && verb > at && !between.some(({ pos }) => SUBJECTS.has(pos)),
    ...(headWord && { head: headWord.stem }),
    ...(words[verb] && { verb: words[verb].stem }),
  }
}

function wantedOf(words: readonly Word[], at: number, head: Word | undefined): Wanted {
  const first = words[0]
  if (first?.pos === 'AUX' || (at < 0 && AUXILIARIES.has(lower(first)))) return 'yes-no'
  const asking = lower(words[at])
  if (asking === 'how') return MEASURES.has(lower(words[at + 1])) ? 'number' : 'manner'
  return KINDS_ASKED.get(asking) ?? KINDS_ASKED.get(head?.lemma.toLowerCase() ?? '') ?? 'thing'
}

/** The last verb behind the question word and before another clause, if it has one: "What did he grow when he lived there?". */
function mainVerb(words: readonly Word[], at: number): number {
  const clause = words.findIndex((word, index) => index > at + 1 && CLAUSE_OPENERS.has(lower(word)))
  const lastVerb = (end: number): number =>
    words.findLastIndex((word, index) => word.pos === 'VERB' && index > at && index < end)
  const verb = clause < 0 ? -1 : lastVerb(clause)
  return verb < 0 ? lastVerb(words.length) : verb
}

/** The last noun of the phrase right behind what, which or how many. */
function headOf(sentence: Sentence, at: number): number | undefined {
  const phrase = phrases(sentence).find(({ from }) => from > at)
  const isNext = phrase && sentence.words.slice(at + 1, phrase.from).every(({ pos }) => BEFORE_HEAD.has(pos))
  return isNext ? phrase.to - 1 : undefined
}

/** The word that asks for a number in "What is the weight of …?" and "What does it weigh?". */
function measure(sentence: Sentence, at: number, verb: number): Word | undefined {
  const { words } = sentence
  const noun = words[at + 1]?.lemma === 'be' ? headOf(sentence, at + 1) : undefined
  return [words[noun ?? -1], words[verb]].find((word) => word && KINDS_ASKED.get(word.lemma) === 'number')
}

const QUESTION_WORDS = wordSet('who whom whose what which when where why how')
const AUXILIARIES = wordSet('is are was were do does did has have had can could will would should may might must')
const CLAUSE_OPENERS = wordSet('who which that when where while if because although')
const MEASURES = wordSet('many much long old tall high far big large often fast deep wide heavy')
const BEFORE_HEAD = wordSet('DET ADJ ADV')
const SUBJECTS = wordSet('NOUN PROPN PRON')

/** Words that say what kind of answer is asked for: "In which year …", "What city …", "What does it weigh?". */
const KINDS_ASKED: ReadonlyMap<string, Wanted> = new Map([
  ...kind('date', 'when year date day month century time'),
  ...kind('number', 'number percentage percent amount size weight weigh price cost length height depth width age'),
  ...kind('person', 'who whom whose person author'),
  ...kind('place', 'where city country town place location state'),
  ...kind('reason', 'why reason'),
])

function kind(wanted: Wanted, list: string): readonly (readonly [string, Wanted])[] {
  return list.split(' ').map((word) => [word, wanted])
}
