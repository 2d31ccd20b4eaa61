import { testMethod } from '../../testing/suites.ts'
import { node2vec } from './node2vec.ts'

testMethod(node2vec, { options: { walks: 2 } })
testMethod(node2vec, { options: { p: 0.5, q: 2, walkLength: 5, responses: false, anchors: 2, seed: 1 } })
