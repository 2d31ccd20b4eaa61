import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { fileOf } from '../../test-support/dataset-copies/write-files.ts'
import { docxText, pdfText } from './pdf-and-docx.ts'

/** A module that exports what a package does, as far as it is used. */
const standIn = (name: string, code: string): string => pathToFileURL(fileOf(code, name)).href

/** A document of one page for each of the texts, the number of its bytes the last. */
const unpdf = standIn(
  'unpdf.mjs',
  `const item = (str) => ({ str, transform: [12, 0, 0, 12, 0, 0], width: 9, height: 12, hasEOL: false })
  export const getDocumentProxy = async (bytes) => {
    if (bytes[0] !== 0x25) throw new Error('Invalid PDF structure.\\nsecond line')
    const pages = [[item(' One '), { type: 'beginMarkedContent' }], [item('Two'), item(String(bytes.length))]]
    const getPage = async (number) => ({ getTextContent: async () => ({ items: pages[number - 1] }), cleanup() {} })
    return { numPages: pages.length, getPage }
  }`,
)

/** Makes the paragraphs of the main part HTML, as far as these tests need it; without the package nothing is read. */
const mammoth = standIn(
  'mammoth.cjs',
  `const { strFromU8, unzipSync } = require(${JSON.stringify(createRequire(import.meta.url).resolve('fflate'))})
  exports.images = { imgElement: (read) => read }
  exports.convertToHtml = async ({ buffer }) => {
    const parts = unzipSync(buffer)
    const xml = strFromU8(parts['word/document.xml']).replace(/<(\\/?)w:(p|br)\\b/g, '<$1$2')
    return { value: xml.replace(/<\\/?w:\\w+>/g, '') + '<p>' + Object.keys(parts).join(' ') + '</p>', messages: [] }
  }`,
)

const file = (content: string | Uint8Array): string => fileOf(content, 'a.bin')

test('reads a PDF page by page', async () => {
  expect(await pdfText(file('%PDF'), unpdf)).toBe('One\n\nTwo4')
  await expect(pdfText(file('x'), unpdf)).rejects.toThrow(/a\.bin: .* PDF \(Invalid PDF structure\. second line\)$/)
})

test('repairs a Word file before its package reads it, and skips its pictures', async () => {
  const xml =
    '<w:p><w:r><w:t>Street 5</w:t><w:cr/><w:t>Leipzig</w:t></w:r></w:p><w:p><w:r><w:t>Phone 22</w:t></w:r></w:p>'
  const archive = zipSync({ 'word/document.xml': strToU8(xml), 'word/media/a.png': new Uint8Array(9) })
  expect(await docxText(file(archive), mammoth)).toBe('Street 5\nLeipzig\n\nPhone 22\n\nword/document.xml')
})

test('skips text in a hidden style of a Word file', async () => {
  const styles = '<w:style w:styleId="S"><w:rPr><w:vanish/></w:rPr></w:style>'
  const xml = '<w:p><w:r><w:rPr><w:rStyle w:val="S"/></w:rPr><w:t>No</w:t></w:r><w:r><w:t>Yes</w:t></w:r></w:p>'
  const archive = zipSync({ 'word/document.xml': strToU8(xml), 'word/styles.xml': strToU8(styles) })
  expect(await docxText(file(archive), mammoth)).toMatch(/^Yes\n/)
})
