import { expect, test } from 'vitest'
import { documentOf } from '../test-support/ask-method.ts'
import { fakeModels } from '../testing/fake-models.ts'
import { testMethod } from '../testing/index.ts'
import { sentenceWindow } from './sentence-window.ts'

testMethod(sentenceWindow)
testMethod(sentenceWindow, { options: { neighbours: 0 } })

const chunks = documentOf('The mill was old. It ground oats. The weir broke.', 'Edric left. He baked rye bread.')

test('a sentence is found, and read with its neighbours, across chunks', async () => {
  const index = await sentenceWindow.index(chunks, fakeModels(), sentenceWindow.options.parse({ neighbours: 1 }))
  const found = await index.retrieve({ id: 'q', text: 'the weir broke' }, { passages: 2, tokens: 99 }, fakeModels())
  expect(found[0]).toMatchObject({
    text: 'It ground oats. The weir broke.  Edric left.',
    from: ['c0', 'c1'],
    spans: [{ documentId: 'd', start: 18, end: 62 }],
    why: { sentence: 'The weir broke.' },
  })
})

test('a sentence that was read as a neighbour is passed over', async () => {
  const index = await sentenceWindow.index(chunks, fakeModels(), sentenceWindow.options.parse({ neighbours: 9 }))
  expect(await index.retrieve({ id: 'q', text: 'rye' }, { passages: 5, tokens: 99 }, fakeModels())).toHaveLength(1)
})
