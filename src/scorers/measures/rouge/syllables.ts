/** Whether the letter at an index is a consonant: none of a, e, i, o, u, nor a y after a consonant. */
export const isConsonant = (word: string, index: number): boolean => shape(word)[index] === 'c'

/** Porter's m: how often a consonant follows a vowel. */
export const measure = (word: string): number => shape(word).split('vc').length - 1

/** Porter's *v*: a vowel anywhere. */
export const hasVowel = (word: string): boolean => shape(word).includes('v')

/** Porter's *d: the same consonant twice at the end. */
export const endsInDoubleConsonant = (word: string): boolean =>
  /(.)\1$/.test(word) && isConsonant(word, word.length - 1)

/** Porter's *o, consonant, vowel, consonant but w, x, y. NLTK: also vowel and consonant when that is the whole word. */
export const endsInShortSyllable = (word: string): boolean =>
  word.length === 2 ? shape(word) === 'vc' : shape(word).endsWith('cvc') && !/[wxy]$/.test(word)

/** c for a consonant, v for a vowel, letter by letter. */
function shape(word: string): string {
  const letters: ('c' | 'v')[] = []
  for (const letter of word.split('')) {
    const vowel = 'aeiou'.includes(letter) || (letter === 'y' && letters.at(-1) === 'c')
    letters.push(vowel ? 'v' : 'c')
  }
  return letters.join('')
}
