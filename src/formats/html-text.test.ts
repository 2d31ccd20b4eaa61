import fc from 'fast-check'
import { expect, test } from 'vitest'
import { growth } from '../test-support/growth.ts'
import { htmlText } from './html-text.ts'

const text = (html: string): string => htmlText(html).text

/** What a page says, its HTML, and its text. */
const cases: readonly (readonly [kind: string, html: string, expected: string])[] = [
  ['line breaks', 'Main Street 5<br>04109 Leipzig<br/>Phone 22', 'Main Street 5\n04109 Leipzig\nPhone 22'],
  [
    'cells of a table',
    '<table><tr><th>City</th><th>Desks</th></tr><tr><td>Berlin</td><td>40</td></tr></table>',
    'City | Desks\n\nBerlin | 40',
  ],
  ['empty cells', '<table><tr><td>a<td><td>c<tr><td></td><td>b</td><td></td></tr></table>', 'a |  | c\n\n | b |'],
  [
    'cells of paragraphs and line breaks',
    '<table><tr><td><p>Main Street 5</p><p>Leipzig</p></td><td>a<br>b</td></tr></table>',
    'Main Street 5 Leipzig | a b',
  ],
  [
    'cells that span others',
    '<table><tr><td rowspan=2>East</td><td>Berlin</td></tr><tr><td>Leipzig</td></tr></table>',
    'East | Berlin\n\nLeipzig',
  ],
  ['a caption', '<table><caption>Desks</caption><tr><td>a</td><td>b</td></tr></table>', 'Desks\n\na | b'],
  [
    'a page laid out as a table',
    '<table><tr><td>Menu</td><td><h1>T</h1><table><tr><td>a</td><td>b</td></tr></table></td></tr></table>',
    'Menu\n\n# T\n\na | b',
  ],
  ['powers', '10<sup>6</sup> m<sup>2</sup> 10<sup>-3</sup> x<sup>n+1</sup>', '10^6 m^2 10^-3 x^(n+1)'],
  ['powers after a space', '10 <sup>6</sup> kg', '10 ^6 kg'],
  ['ions and isotopes', 'Ca<sup>2+</sup>, Na<sup>+</sup>, the <sup>14</sup>C', 'Ca^2+, Na+, the ^14C'],
  [
    'ordinals and abbreviations',
    '1<sup>st</sup> 2<sup>nd</sup> XIX<sup>e</sup> M<sup>me</sup> N<sup>o</sup> 20<sup>o</sup>C',
    '1st 2nd XIXe Mme No 20°C',
  ],
  ['trade marks', 'Acme<sup>®</sup> Foo<sup>TM</sup>', 'Acme® Foo™'],
  [
    'marks of footnotes',
    'Leipzig<sup>1</sup> is.<sup>2, 3</sup> 2019<sup><a href="#n4">4</a></sup> Bonn<a href="#n5"><sup>5</sup></a> x<sup class="reference">[6]</sup>',
    'Leipzig[1] is.[2, 3] 2019[4] Bonn[5] x[6]',
  ],
  ['the footnote itself', '<p><sup>1</sup> Without VAT</p>', '[1] Without VAT'],
  ['subscripts', 'H<sub>2</sub>O CO<sub>2</sub> v<sub>max</sub> 101<sub>2</sub>', 'H2O CO2 vmax 101_2'],
  [
    'formulas',
    '<math><msup><mn>10</mn><mn>6</mn></msup><mo>+</mo><mn>1</mn><mfrac><mn>1</mn><mn>2</mn></mfrac><annotation>10^6</annotation></math>',
    '10 6 + 1 1 2',
  ],
  [
    'deleted and inserted text',
    'within <del>30</del><ins>27</ins> days for <s>9</s> <strike>8</strike> 7',
    'within 27 days for 7',
  ],
  ['readings of characters', '<ruby>東<rp>(</rp><rt>とう</rt><rp>)</rp>京<rt>きょう</rt></ruby>', '東京'],
  [
    'hidden elements',
    '<p hidden>a</p><div style="color:red; display: none">b<p>c</p></div><p style="visibility:hidden">d</p><dialog>e</dialog>f',
    'f',
  ],
  [
    'hidden keys of sorting',
    '<table><tr><td><span style="display:none">0042</span>42</td><td><span class="sortkey">07</span>7</td></tr></table>',
    '42 | 7',
  ],
  ['signs for the eye alone', 'a<span aria-hidden="true">x</span><div aria-hidden="true">b</div>', 'a\n\nb'],
  ['a page that its script would show', '<html><body style="visibility:hidden"><p>a</p></body></html>', 'a'],
  [
    'scripts and styles',
    '<script>if (a < b) "</p>"</script><style>p{}</style><noscript>n</noscript><template>t</template>x<!-- <p>no</p> -->y',
    'xy',
  ],
  [
    'lists',
    '<ul><li>a</li><li><p>b</p></li></ul><ol start=3><li>c<li>d<ul><li>e</ul></ol>',
    '- a\n- b\n\n3. c\n4. d\n\n- e',
  ],
  [
    'terms and their descriptions',
    '<dl><dt>Opens</dt><dd>at 9</dd><dd>or 10</dd><dt>Closes</dt><dd>at 5</dd></dl>',
    'Opens\nat 9\nor 10\n\nCloses\nat 5',
  ],
  ['headings', '<h2> <div><a>T</a> u</div></h2><h3></h3><h6>V<br>x</h6>w', '## T u\n\n###### V x\n\nw'],
  ['white space that counts', '<pre>a\n  b\n</pre>c', 'a\n  b\n\nc'],
  [
    'references of characters',
    '&lt;b&gt; &amp;amp; &nbsp;&eacute;&#233;&#xe9;&ndash;&#150;&Alpha;&rarr;&ouml;',
    '<b> &amp; ééé––Α→ö',
  ],
  [
    'what is malformed',
    "1 < 2 and 3 > 2 &unknown; AT&T &#0;<p>don't</p><p class='x'>it's",
    "1 < 2 and 3 > 2 &unknown; AT&T \ufffd\n\ndon't\n\nit's",
  ],
  ['words that tags divide', '<b>bold</b><i>ly</i> under<wbr>stood', 'boldly understood'],
  [
    'ends of blocks',
    '<div>a</div><div>b</div><section>c<figure>d<figcaption>e</figcaption></figure></section>f<hr>g',
    'a\n\nb\n\nc\n\nd\n\ne\n\nf\n\ng',
  ],
  [
    'elements of XHTML that are closed at once',
    '<?xml version="1.0"?><html><body><a id="x"/><script src="a.js"/><p>a</p></body></html>',
    'a',
  ],
  ['a comment that never ends', '<p>a<!-- never ends', 'a'],
]

test.each(cases)('reads %s', (_, html, expected) => expect(text(html)).toBe(expected))

test('gives the title separately, on one line', () => {
  const html =
    '<!doctype html><html><head><title>\n Our &amp; your\n offices</title></head><body><p>x</p></body></html>'
  expect(htmlText(html)).toEqual({ title: 'Our & your offices', text: 'x' })
  expect(htmlText('<svg><title>drawing</title></svg><p>x</p>')).toEqual({ text: 'x' })
})

test('handles elements nested 10,000 deep', () => {
  for (const [open, close] of [
    ['<div>', '</div>'],
    ['<table><tr><td>', '</td></tr></table>'],
    ['<ul><li>', '</li></ul>'],
  ] as const)
    expect(text(`${open.repeat(10_000)}x${close.repeat(10_000)}`)).toBe(open === '<ul><li>' ? '- x' : 'x')
})

test('reads any text and drops closed tags', () => {
  const token = fc.constantFrom(
    ...['<', '<p>', '</p>', '<!--', '-->', '"', "'", '=', '&amp;', '&', ';', 'a', '1', ' ', '\n', '<td>', '<tr>'],
    ...['<table>', '</table>', '<pre>', '<sup>', '</sup>', '<sub>', '<del>', '</del>', '<h2>', '</h2>', '<li>'],
    ...['<ol>', '<math>', '<msup>', '<script>', '</script>'],
  )
  fc.assert(
    fc.property(fc.array(token, { maxLength: 40 }), (tokens) => {
      expect(text(tokens.join(''))).not.toContain('<p>')
    }),
  )
})

test.each(['<', '<a "', "<a b='", '&amp', '<!--', '<script>', '<td>', '<p>', 'a<sup>2</sup>', '<li>1/', ' '])(
  'the time for many %j grows with their number',
  (part) => {
    const [once, fourfold] = [100_000, 400_000].map((length) => () => void text(part.repeat(length / part.length)))
    expect(growth(once!, fourfold!).isSuperlinear).toBe(false)
  },
)
