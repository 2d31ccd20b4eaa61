import { expect, test } from 'vitest'
import { mendedWordXml, wordStyles } from './word-xml.ts'

const run = (text: string, properties = '<w:b/>'): string => `<w:r><w:rPr>${properties}</w:rPr><w:t>${text}</w:t></w:r>`
const paragraph = (content: string, style: string): string =>
  `<w:p><w:pPr><w:pStyle w:val="${style}"/></w:pPr>${content}</w:p>`
const style = (id: string, content: string): string => `<w:style w:styleId="${id}">${content}</w:style>`

const styles = wordStyles(
  `<w:styles>${style('Intern', '<w:rPr><w:vanish/></w:rPr>')}${style('Note', '<w:basedOn w:val="Intern"/>')}
  ${style('Shown', '<w:basedOn w:val="Intern"/><w:rPr><w:vanish w:val="false"/></w:rPr>')}
  ${style('berschrift1', '<w:name w:val="heading 1"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr>')}
  ${style('Chapter', '<w:basedOn w:val="berschrift1"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr>')}
  ${style('Contents', '<w:basedOn w:val="berschrift1"/><w:pPr><w:outlineLvl w:val="9"/></w:pPr>')}
  ${style('Titel', '<w:name w:val="Title"/>')}${style('A', '<w:basedOn w:val="B"/>')}${style('B', '<w:basedOn w:val="A"/>')}
  </w:styles>`,
)

const rerun = (xml: string): string => mendedWordXml(xml, styles)

test('skips runs hidden by themselves, by their style or by that of the paragraph', () => {
  const runs = [
    ['hidden', '<w:vanish/>'],
    ['by style', '<w:rStyle w:val="Intern"/>'],
    ['by the style below', '<w:rStyle w:val="Note"/>'],
    ['shown', '<w:vanish w:val="0"/>'],
    ['shown by style', '<w:rStyle w:val="Shown"/>'],
    ['plain', '<w:b/>'],
    ['a circle of styles', '<w:rStyle w:val="A"/>'],
  ].map(([text = '', properties]) => run(text, properties))
  expect(rerun(`<w:p>${runs.join('')}</w:p>`)).toBe(`<w:p>${runs.slice(3).join('')}</w:p>`)
  const visible = run('but this', '<w:vanish w:val="off"/>')
  expect(rerun(paragraph(run('none') + visible, 'Note'))).toBe(paragraph(visible, 'Note'))
})

test('a hidden paragraph mark or table row hides no other text', () => {
  const mark = `<w:p><w:pPr><w:rPr><w:vanish/></w:rPr></w:pPr>${run('x')}</w:p>`
  expect(rerun(mark)).toBe(mark)
  const row = (properties: string): string => `<w:tr><w:trPr>${properties}</w:trPr><w:tc>${mark}</w:tc></w:tr>`
  expect(rerun(`<w:tbl>${row('<w:cantSplit/>')}${row('<w:hidden/>')}</w:tbl>`)).toBe(
    `<w:tbl>${row('<w:cantSplit/>')}</w:tbl>`,
  )
})

test('reads carriage returns as line breaks and skips phonetic guides', () => {
  expect(rerun('<w:r><w:cr/><w:t>a</w:t><w:cr></w:cr></w:r>')).toBe('<w:r><w:br/><w:t>a</w:t><w:br/></w:r>')
  const ruby = `<w:ruby><w:rt>${run('とう')}</w:rt><w:rubyBase>${run('東')}</w:rubyBase></w:ruby>`
  expect(rerun(`<w:r>${ruby}</w:r>`)).toBe(`<w:r>${run('東')}</w:r>`)
})

test.each([
  ['berschrift1', 'Heading1'],
  ['Chapter', 'Heading2'],
  ['Titel', 'Heading1'],
  ['Contents', 'Contents'],
  ['nosuch', 'nosuch'],
])('maps the paragraph style %s to the heading style %s', (from, to) =>
  expect(rerun(paragraph(run('x'), from))).toBe(paragraph(run('x'), to)),
)

test.each(['<w:cr/>'.repeat(4_000_001), `<w:p ${'a="" '.repeat(4_000_001)}/>`])(
  'rejects a file that would fill the memory',
  (xml) => expect(() => rerun(xml)).toThrow('it has more than 4000000 elements and attributes'),
)
