import { fakeModels } from '../../testing/fake-models.ts'
import { testMethod } from '../../testing/index.ts'
import { hipporag2 } from './hipporag2.ts'

testMethod(hipporag2)
testMethod(hipporag2, {
  models: () =>
    fakeModels({
      replies: { 'name-entities': () => ({ named_entities: [] }), 'extract-triples': () => ({ triples: [] }) },
    }),
})
testMethod(hipporag2, { options: { filter: 'none', normalise: 'unicode' } })
testMethod(hipporag2, { options: { filter: 'none', passageNodeWeight: 0 } })
