import { expect, test } from 'vitest'
import { withoutInvisible } from './characters.ts'

test.each([
  ['a soft hyphen', 'co\u00adop\u00ader\u00adate', 'cooperate'],
  ['zero-width spaces, word joiners and byte order marks', '\ufeffzero\u200bwidth\u2060 word\ufeff', 'zerowidth word'],
  ['marks of direction', '\u200eleft \u202btext\u202c \u2067in\u2069', 'left text in'],
  ['joiners between Latin letters, after a digit and at the beginning', '\u200dAuf\u200clage 1\u200d0', 'Auflage 10'],
])('%s: removed, because a word with one is found by nobody', (_, text, expected) =>
  expect(withoutInvisible(text)).toBe(expected),
)

test.each([
  ['Persian', 'می\u200cخواهم'],
  ['Hindi', 'क्\u200dष'],
  ['Sinhala', 'ශ්\u200dරී'],
  ['emoji', '👩\u200d💻 🏳️\u200d🌈'],
])('joiners of %s stay, because they change what is written', (_, text) => expect(withoutInvisible(text)).toBe(text))
