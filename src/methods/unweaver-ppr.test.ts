import { fakeModels } from '../testing/fake-models.ts'
import { testMethod } from '../testing/suites.ts'
import { unweaverPpr } from './unweaver-ppr.ts'

testMethod(unweaverPpr)
testMethod(unweaverPpr, { models: () => fakeModels({ replies: { 'extract-entities': () => [] } }) })
testMethod(unweaverPpr, { options: { damping: 0 } })
