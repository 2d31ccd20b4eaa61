import { fakeModels } from '../testing/fake-models.ts'
import { testMethod } from '../testing/index.ts'
import { unweaverPpr } from './unweaver-ppr.ts'

testMethod(unweaverPpr)
testMethod(unweaverPpr, { models: () => fakeModels({ replies: { 'extract-entities': () => [] } }) })
