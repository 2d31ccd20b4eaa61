import { expect, test } from 'vitest'
import { ask, documentOf } from '../test-support/ask-method.ts'
import { testMethod } from '../testing/index.ts'
import { sentenceWindow } from './sentence-window.ts'

testMethod(sentenceWindow)

const chunks = documentOf(
  'The mill was old. It ground oats. It ground rye. Ada left. The weir broke.',
  'Edric left. He baked bread. He sold it. He grew rich.',
)

test('returns a sentence with three neighbours on each side, across chunks, and none inside an earlier window', async () => {
  const { passages } = await ask(sentenceWindow, chunks, { text: 'the weir broke', budget: { passages: 5 } })
  expect(passages[0]).toMatchObject({
    text: 'It ground oats. It ground rye. Ada left. The weir broke.  Edric left. He baked bread. He sold it.',
    from: ['c0', 'c1'],
    spans: [{ documentId: 'd', start: 18, end: 115 }],
    why: { sentence: 'The weir broke.' },
  })
  // of nine sentences
  expect(passages).toHaveLength(3)
})
