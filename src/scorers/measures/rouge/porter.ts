/** Porter's stemmer (Program 14.3, 1980) as NLTK's default mode has it (nltk 3.8, porter.py, NLTK_EXTENSIONS). */
export function stem(word: string): string {
  const lower = word.toLowerCase()
  // NLTK looks up the word without lower case
  const irregular = irregulars.get(word)
  if (irregular !== undefined) return irregular
  if (lower.length <= 2) return lower
  return [plural, past, finalY, doubleSuffix, suffix, lastSuffix, finalE, doubleL].reduce(
    (shorter, step) => step(shorter),
    lower,
  )
}

const irregulars: ReadonlyMap<string, string> = new Map(
  Object.entries({
    sky: ['sky', 'skies'],
    die: ['dying'],
    lie: ['lying'],
    tie: ['tying'],
    news: ['news'],
    inning: ['innings', 'inning'],
    outing: ['outings', 'outing'],
    canning: ['cannings', 'canning'],
    howe: ['howe'],
    proceed: ['proceed'],
    exceed: ['exceed'],
    succeed: ['succeed'],
  }).flatMap(([short, forms]) => forms.map((form) => [form, short] as const)),
)

type Rule = readonly [suffix: string, replacement: string]

/** Rules written as `suffix:replacement`, in their order. */
const rules = (ruleList: string): readonly Rule[] =>
  ruleList.split(' ').map((rule) => {
    const [suffix = '', replacement = ''] = rule.split(':')
    return [suffix, replacement]
  })

/** The first rule whose suffix the word ends in decides, whether or not its condition holds. */
function replaceSuffix(word: string, from: readonly Rule[], when: (stem: string, suffix: string) => boolean): string {
  const rule = from.find(([ending]) => word.endsWith(ending))
  if (!rule) return word
  const rest = word.slice(0, word.length - rule[0].length)
  return when(rest, rule[0]) ? rest + rule[1] : word
}

/** Step 1a. NLTK: a word of four letters in -ies keeps its e ("dies", but "flies" -> "fli"). */
function plural(word: string): string {
  if (word.length === 4 && word.endsWith('ies')) return word.slice(0, -1)
  return replaceSuffix(word, step1a, () => true)
}

const step1a = rules('sses:ss ies:i ss:ss s:')

/** Step 1b. NLTK: -ied becomes -i, or -ie in a word of four letters. */
function past(word: string): string {
  if (word.endsWith('ied')) return word.slice(0, word.length === 4 ? -1 : -2)
  if (word.endsWith('eed')) return replaceSuffix(word, [['eed', 'ee']], (rest) => measure(rest) > 0)
  const ending = ['ed', 'ing'].find((end) => word.endsWith(end) && hasVowel(word.slice(0, -end.length)))
  return ending === undefined ? word : restoreEnding(word.slice(0, -ending.length))
}

function restoreEnding(word: string): string {
  if (/(?:at|bl|iz)$/.test(word)) return `${word}e`
  if (endsInDoubleConsonant(word)) return /[lsz]$/.test(word) ? word : word.slice(0, -1)
  return measure(word) === 1 && endsInShortSyllable(word) ? `${word}e` : word
}

/** Step 1c. NLTK: y becomes i only after a consonant that is not the first letter ("enjoy" and "by" stay). */
const finalY = (word: string): string =>
  replaceSuffix(word, [['y', 'i']], (rest) => rest.length > 1 && isConsonant(rest, rest.length - 1))

/** Step 2. NLTK: "alli" goes first and the step is run again; "bli" for "abli", "fulli" and "logi" are added. */
function doubleSuffix(word: string): string {
  if (word.endsWith('alli') && measure(word.slice(0, -4)) > 0) return doubleSuffix(word.slice(0, -2))
  // the l of "logi" counts with the stem, so that "geologi" is as long as "archaeologi"
  return replaceSuffix(word, step2, (rest, ending) => measure(ending === 'logi' ? `${rest}l` : rest) > 0)
}

const step2 = rules(
  'ational:ate tional:tion enci:ence anci:ance izer:ize bli:ble alli:al entli:ent eli:e ousli:ous ization:ize ation:ate ator:ate alism:al iveness:ive fulness:ful ousness:ous aliti:al iviti:ive biliti:ble fulli:ful logi:log',
)

/** Step 3. */
const suffix = (word: string): string => replaceSuffix(word, step3, (rest) => measure(rest) > 0)

const step3 = rules('icate:ic ative: alize:al iciti:ic ical:ic ful: ness:')

/** Step 4. */
const lastSuffix = (word: string): string =>
  replaceSuffix(word, step4, (rest, ending) => measure(rest) > 1 && (ending !== 'ion' || /[st]$/.test(rest)))

const step4 = rules('al ance ence er ic able ible ant ement ment ent ion ou ism ate iti ous ive ize')

/** Step 5a. */
function finalE(word: string): string {
  if (!word.endsWith('e')) return word
  const rest = word.slice(0, -1)
  const length = measure(rest)
  return length > 1 || (length === 1 && !endsInShortSyllable(rest)) ? rest : word
}

/** Step 5b. */
const doubleL = (word: string): string =>
  word.endsWith('ll') && measure(word.slice(0, -1)) > 1 ? word.slice(0, -1) : word

/** Whether the letter at an index is a consonant: not a, e, i, o, u, nor a y after a consonant. */
const isConsonant = (word: string, index: number): boolean => shape(word)[index] === 'c'

/** Porter's m: the number of vowel-consonant sequences. */
const measure = (word: string): number => shape(word).split('vc').length - 1

/** Porter's *v*: a vowel anywhere. */
const hasVowel = (word: string): boolean => shape(word).includes('v')

/** Porter's *d: the same consonant twice at the end. */
const endsInDoubleConsonant = (word: string): boolean => /(.)\1$/.test(word) && isConsonant(word, word.length - 1)

/** Porter's *o, consonant, vowel, consonant but w, x, y. NLTK: also vowel and consonant when that is the whole word. */
const endsInShortSyllable = (word: string): boolean =>
  word.length === 2 ? shape(word) === 'vc' : shape(word).endsWith('cvc') && !/[wxy]$/.test(word)

function shape(word: string): string {
  const letters: ('c' | 'v')[] = []
  for (const letter of word.split('')) {
    const vowel = 'aeiou'.includes(letter) || (letter === 'y' && letters.at(-1) === 'c')
    letters.push(vowel ? 'v' : 'c')
  }
  return letters.join('')
}
