import { stemmer } from 'stemmer'
import { remembered } from '../basics/memoise.ts'
import { stemArabic } from './arabic.ts'
import { words } from './words.ts'

export const analysers = ['plain', 'english'] as const

/**
 * How texts become the words that are searched. `plain`: as they stand, lower-cased. `english`: as Lucene's
 * EnglishAnalyzer does: without possessive 's and its 33 stop words, stemmed by Porter's algorithm in its author's
 * later form (words of one or two letters stay; bli becomes ble, logi log). Both stem Arabic words.
 */
export type Analyser = (typeof analysers)[number]

/** The words of a text in order, a list for each call. `analyserOf('english')('The mills’ wheels')`: mill, wheel */
export function analyserOf(analyser: Analyser): (text: string) => string[] {
  if (analyser === 'plain') return (text) => words(text).map(stemArabic)
  const stem = remembered(stemsKept, (word) => stemmer(stemArabic(word)))
  const kept = (word: string): boolean => !stopWords.has(word)
  return (text) =>
    words(apostrophe.test(text) ? text.replace(possessive, '') : text)
      .filter(kept)
      .map(stem)
}

const stemsKept = 2 ** 17

const apostrophe = /['\u2019\uFF07]/

/** Apostrophes as Lucene's EnglishPossessiveFilter knows them. */
const possessive = /(?<=[\p{L}\p{N}])['\u2019\uFF07]s(?![\p{L}\p{M}\p{N}])/giu

/** EnglishAnalyzer.ENGLISH_STOP_WORDS_SET. */
const stopWords = new Set(
  'a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was will with'.split(
    ' ',
  ),
)
