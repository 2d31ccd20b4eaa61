import { expect, test } from 'vitest'
import { documentOf } from '../test-support/ask-method.ts'
import { fakeModels } from '../testing/fake-models.ts'
import { testMethod } from '../testing/index.ts'
import { sentenceWindow } from './sentence-window.ts'

testMethod(sentenceWindow)

const chunks = documentOf(
  'The mill was old. It ground oats. It ground rye. Ada left. The weir broke.',
  'Edric left. He baked bread. He sold it. He grew rich.',
)

test('returns a sentence with three neighbours on each side, across chunks', async () => {
  const index = await sentenceWindow.index(chunks, fakeModels(), sentenceWindow.options.parse({}))
  const found = await index.retrieve({ id: 'q', text: 'the weir broke' }, { passages: 2, tokens: 99 }, fakeModels())
  expect(found[0]).toMatchObject({
    text: 'It ground oats. It ground rye. Ada left. The weir broke.  Edric left. He baked bread. He sold it.',
    from: ['c0', 'c1'],
    spans: [{ documentId: 'd', start: 18, end: 115 }],
    why: { sentence: 'The weir broke.' },
  })
})

test('skips a sentence inside an earlier window', async () => {
  const index = await sentenceWindow.index(chunks, fakeModels(), sentenceWindow.options.parse({}))
  // of nine sentences
  expect(
    await index.retrieve({ id: 'q', text: 'the weir broke' }, { passages: 5, tokens: 99 }, fakeModels()),
  ).toHaveLength(3)
})
