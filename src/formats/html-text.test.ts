import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { growth } from '../test-support/growth.ts'
import { htmlText } from './html-text.ts'

const text = (html: string): string => htmlText(html).text

describe('htmlText', () => {
  test.each([
    ['<p>One\n  two.</p><p>Three</p>', 'One two.\n\nThree'],
    ['a<br>b<br/>c', 'a\nb\nc'],
    ['<h1>T</h1>x <b>bold</b><i>ly</i> y', '# T\n\nx boldly y'],
    ['<h2> <div><a>T</a> u</div></h2><h3></h3><h6>V</h6>w', '## T u\n\n###### V\n\nw'],
    ['<ul><li>a</li><li>b</li></ul>', '- a\n- b'],
    [
      '<table><tr><th>City</th><th>Desks</th></tr><tr><td>Berlin</td><td>40</td></tr></table>',
      'City\tDesks\n\nBerlin\t40',
    ],
    ['<script>if (a < b) "</p>"</script><style>p{}</style>x<!-- <p>no</p> -->y', 'xy'],
    ['<pre>a\n  b\n</pre>c', 'a\n  b\n\nc'],
    [
      '&lt;b&gt; &amp;amp; &nbsp;&eacute;&#233;&#xe9;&ndash;&#150;&Alpha;&omega;',
      '<b> &amp; éé é––Αω'.replace('éé é', 'ééé'),
    ],
    ['&unknown; &#0; AT&T &#x110000;', '&unknown; \ufffd AT&T \ufffd'],
    ['<a href="x > y">go</a> on', 'go on'],
    ['1 < 2 and 3 > 2', '1 < 2 and 3 > 2'],
    ['a <b', 'a <b'],
    ["<p>don't</p><p class='x'>it's</p>", "don't\n\nit's"],
    ['<p>a<!-- never ends', 'a'],
    ['<SCRIPT>x</SCRIPT >y', 'y'],
    ['', ''],
  ])('%j reads %j', (html, expected) => expect(text(html)).toBe(expected))

  test('the title is apart, on one line', () => {
    const html =
      '<!doctype html><html><head><title>\n Our &amp; your\n offices</title></head><body><p>x</p></body></html>'
    expect(htmlText(html)).toEqual({ title: 'Our & your offices', text: 'x' })
    expect(htmlText('<svg><title>drawing</title></svg><p>x</p>')).toEqual({ text: 'x' })
  })

  test('any text is read, without markup that was closed', () => {
    const token = fc.constantFrom(
      '<',
      '>',
      '<p>',
      '</p>',
      '<!--',
      '-->',
      '"',
      "'",
      '=',
      '&amp;',
      '&',
      ';',
      'a',
      ' ',
      '\n',
      '<td>',
      '<pre>',
      '<script>',
      '</script>',
    )
    fc.assert(
      fc.property(fc.array(token, { maxLength: 40 }), (tokens) => {
        expect(text(tokens.join(''))).not.toContain('<p>')
      }),
    )
  })

  test.each(['<', '<a "', "<a b='", '&amp', '<!--', '<script>', '<td>', '<pre> ', ' '])(
    'the time for many %j grows with their number',
    (part) => {
      const [once, fourfold] = [100_000, 400_000].map((length) => () => void text(part.repeat(length / part.length)))
      expect(growth(once!, fourfold!).isSuperlinear).toBe(false)
    },
  )
})
