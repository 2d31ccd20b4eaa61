import { wordsOfRun, splitAtSpace } from '../../../text/words.ts'

/** Languages with rules of MLQA's script, by ISO 639-1. */
export const answerLanguages = ['ar', 'de', 'en', 'es', 'hi', 'ja', 'km', 'ko', 'lo', 'my', 'th', 'vi', 'zh'] as const
export type AnswerLanguage = (typeof answerLanguages)[number]

/**
 * The tokens of an answer in a language as MLQA's script counts them (facebookresearch/MLQA@5ef5c731,
 * mlqa_evaluation_v1.py): lower case, punctuation deleted, articles spaced. Our reading: Japanese as Chinese with kana
 * alone too, Thai, Lao, Khmer and Burmese by `Intl.Segmenter`, Korean at white space.
 */
export function mlqaTokens(text: string, language: AnswerLanguage): string[] {
  const article = articles[language]
  const letters = text.toLowerCase().replace(punctuation, '')
  const content = article ? letters.replace(article, ' ') : letters
  const character = singleCharacters[language]
  if (character) return splitAtSpace(content.replace(character, ' $& '))
  return languagesWithoutSpaces.has(language) ? wordsOfRun(content) : splitAtSpace(content)
}

/** Whether a language is written without spaces, so that scripts for English treat an answer as one word. */
export const isUnspaced = (language: string): language is AnswerLanguage =>
  languagesWithoutSpaces.has(language) || Object.hasOwn(singleCharacters, language)

const languagesWithoutSpaces: ReadonlySet<string> = new Set(['th', 'lo', 'km', 'my'])

/** Unicode's punctuation and the additional signs of Python's string.punctuation. */
const punctuation = /[\p{P}$+<=>^`|~]/gu

/** Words between Python's \b. */
const articleOf = (words: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}_])(?:${words.replaceAll(' ', '|')})(?![\\p{L}\\p{N}_])`, 'gu')

const articles: Readonly<Partial<Record<AnswerLanguage, RegExp>>> = {
  en: articleOf('a an the'),
  es: articleOf('un una unos unas el la los las'),
  de: articleOf('ein eine einen einem eines einer der die das den dem des'),
  vi: articleOf('của là cái chiếc những'),
  // the other half of the script's expression never matches
  ar: /ال/g,
}

/** Characters that are tokens of their own. */
const singleCharacters: Readonly<Partial<Record<AnswerLanguage, RegExp>>> = {
  zh: /[\u4e00-\u9fa5]/g,
  ja: /[\u4e00-\u9fa5\u3040-\u30ff\uff66-\uff9f]/g,
}
