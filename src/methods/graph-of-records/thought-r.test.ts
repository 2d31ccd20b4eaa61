import { testMethod } from '../../testing/suites.ts'
import { thoughtR } from './thought-r.ts'

testMethod(thoughtR)
testMethod(thoughtR, { options: { chunkTokens: 20, overlap: 5, scope: 'corpus' } })
