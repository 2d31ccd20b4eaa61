import { testMethod } from '../../testing/index.ts'
import { thoughtR } from './thought-r.ts'

testMethod(thoughtR)
