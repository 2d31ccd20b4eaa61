import { testMethod } from '../../testing/index.ts'
import { thoughtR } from './thought-r.ts'

testMethod(thoughtR)
testMethod(thoughtR, { options: { chunkTokens: 20, overlap: 5, scope: 'corpus' } })
