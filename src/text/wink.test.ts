import { expect, test } from 'vitest'
import { openWink } from './wink.ts'

const { its, readDoc } = await openWink()

const contractions =
  'cannot cant dont wont isnt arent didnt doesnt wasnt werent havent hadnt couldnt wouldnt shouldnt mustnt aint ive youre youve theyre theyve weve'.split(
    ' ',
  )

test.each(contractions)('%s is expanded beside a punctuation mark as between spaces', (word) => {
  const expanded = readDoc(`x ${word} y`).tokens().out().slice(1, -1)
  expect(expanded.join('')).toBe(word)
  for (const [before, after] of [
    ['', '.'],
    ['', '!'],
    ['x ', ','],
    ['(', ')'],
    ['“', '”'],
    ['x—', '…'],
    ['', ''],
  ] as const)
    // prettier-ignore
    for (const written of [word, word.toUpperCase(), `${word.charAt(0).toUpperCase()}${word.slice(1)}`]) {
      const tokens = readDoc(`${before}${written}${after}`).tokens()
      expect(tokens.out().join('').toLowerCase()).toContain(word)
      expect(tokens.out(its.lemma).filter((lemma) => typeof lemma !== 'string')).toEqual([])
      expect(tokens.out(its.lemma)).toHaveLength(tokens.out().length)
    }
  expect(readDoc(`And he ${word}.`).tokens().out()).toEqual(['And', 'he', ...expanded, '.'])
})
