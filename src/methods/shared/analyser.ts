import { z } from 'zod'
import { analysers } from '../../text/analyse.ts'

/** The option `analyser` of lexical methods. */
export const analyser = z
  .enum(analysers)
  .default('english')
  .describe(
    'How texts become words. plain: as they stand, in lower case; english: without possessive ’s and Lucene’s 33 stop words, stemmed by Porter’s algorithm as in Lucene (default: nDCG@10 of bm25 is higher with it than with plain on DBpedia-Entity, MuSiQue, Qasper, COVID-QA, eManual and RAGBench’s eManual and COVID-QA, by 0.1 to 13 points); for texts in other languages set plain. Either way Arabic words are stemmed (light10), and Thai, Lao, Khmer and Burmese are split by Unicode’s dictionaries.',
  )
