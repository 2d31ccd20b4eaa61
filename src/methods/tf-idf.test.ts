import { testMethod } from '../testing/suites.ts'
import { tfIdf } from './tf-idf.ts'

testMethod(tfIdf)
testMethod(tfIdf, { options: { sublinear: true } })
