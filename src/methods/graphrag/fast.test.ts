import { expect, test } from 'vitest'
import { nounPhrases } from './fast.ts'

const phrasesOf = await nounPhrases()

test.each([
  ['The old stone bridge crosses the river Arden.', ['OLD STONE BRIDGE', 'RIVER ARDEN']],
  ['John Bell built it. John Bell died.', ['JOHN BELL', 'JOHN BELL']],
  ['She sat on a chair.', []],
  ['', []],
  ['*** --- !!!', []],
])('%j', (text, phrases) => expect(phrasesOf(text)).toEqual(phrases))
