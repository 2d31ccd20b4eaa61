import { expect, test } from 'vitest'
import { decodeEntities } from './characters.ts'

test.each([
  ['R&amp;D &AMP; caf&eacute;', 'R&D & café'],
  ['&#39;&#x27;&#X2019;', "''’"],
  ['&EACUTE; &nothing; & &;', '&EACUTE; &nothing; & &;'],
  ['&amp;lt;', '&lt;'],
  ['&nbsp;&yuml;&times;&szlig;', '\u00a0ÿ×ß'],
  ['&#0; &#xD800; &#x110000; &#150;', '\ufffd \ufffd \ufffd –'],
])('%j', (text, expected) => expect(decodeEntities(text)).toBe(expected))
