import { testMethod } from '../../testing/index.ts'
import { node2vec } from './node2vec.ts'

testMethod(node2vec, { options: { walks: 2 } })
testMethod(node2vec, { options: { returnParameter: 0.5, inOutParameter: 2, walkLength: 5 } })
