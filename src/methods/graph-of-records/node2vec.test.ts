import { testMethod } from '../../testing/index.ts'
import { node2vec } from './node2vec.ts'

testMethod(node2vec)
