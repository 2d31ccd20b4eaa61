import { expect, test } from 'vitest'
import { ask, chunksOf } from '../test-support/ask-method.ts'
import { testMethod } from '../testing/index.ts'
import { closedBook } from './closed-book.ts'

testMethod(closedBook)

test('returns no passages', async () => expect((await ask(closedBook, chunksOf('a: 0 x'))).passages).toEqual([]))
