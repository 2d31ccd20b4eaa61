import { testMethod } from '../testing/index.ts'
import { tfIdf } from './tf-idf.ts'

testMethod(tfIdf)
testMethod(tfIdf, { options: { analyser: 'plain' } })
