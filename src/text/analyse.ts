import { stemmer } from 'stemmer'
import { memoiseRecent } from '../basics/memoise.ts'
import { stemArabic } from './arabic.ts'
import { words } from './words.ts'

export const analysers = ['plain', 'english'] as const

/**
 * How texts become index terms. `plain`: lower-cased words. `english`: as Lucene's EnglishAnalyzer: without possessive
 * 's and its 33 stop words, stemmed by Porter's algorithm in its author's later form (words of one or two letters stay;
 * bli becomes ble, logi log). Both stem Arabic words.
 */
export type Analyser = (typeof analysers)[number]

/** The terms of a text in order. `analyserOf('english')('The mills’ wheels')`: mill, wheel */
export function analyserOf(analyser: Analyser): (text: string) => string[] {
  if (analyser === 'plain') return (text) => words(text).map(stemArabic)
  const stem = memoiseRecent(stemCacheSize, (word) => stemmer(stemArabic(word)))
  const isIndexed = (word: string) => !stopWords.has(word)
  return (text) =>
    words(apostrophe.test(text) ? text.replace(possessive, '') : text)
      .filter(isIndexed)
      .map(stem)
}

const stemCacheSize = 2 ** 17

const apostrophe = /['\u2019\uFF07]/

/** The apostrophes of Lucene's EnglishPossessiveFilter. */
const possessive = /(?<=[\p{L}\p{N}])['\u2019\uFF07]s(?![\p{L}\p{M}\p{N}])/giu

/** EnglishAnalyzer.ENGLISH_STOP_WORDS_SET. */
const stopWords = new Set(
  'a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was will with'.split(
    ' ',
  ),
)
