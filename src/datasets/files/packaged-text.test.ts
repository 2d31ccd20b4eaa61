import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { docxText, pdfText } from './packaged-text.ts'

const folder = mkdtempSync(join(tmpdir(), 'gembench-optional-'))

/** A module that exports what a package does, as far as it is used. */
function standIn(name: string, code: string): string {
  const file = join(folder, name)
  writeFileSync(file, code)
  return pathToFileURL(file).href
}

const unpdf = standIn(
  'unpdf.mjs',
  `export const getDocumentProxy = async (bytes) => {
    if (bytes[0] !== 0x25) throw new Error('Invalid PDF structure.\\nsecond line')
    return bytes
  }
  export const extractText = async (pdf, { mergePages }) => ({ text: mergePages ? '' : [' One ', 'Two' + pdf.length] })`,
)
const mammoth = standIn(
  'mammoth.cjs',
  `exports.extractRawText = async ({ buffer }) => ({ value: 'A ' + buffer.length + '\\n\\nB\\n\\n', messages: [] })`,
)

function file(content: string | Uint8Array): string {
  const path = join(folder, 'a.bin')
  writeFileSync(path, content)
  return path
}

test('a PDF, page by page', async () => {
  expect(await pdfText(file('%PDF'), unpdf)).toBe('One\n\nTwo4')
  await expect(pdfText(file('x'), unpdf)).rejects.toThrow(
    /a\.bin: cannot be read as PDF \(Invalid PDF structure\. second line\)$/,
  )
})

test('a Word file, paragraph by paragraph', async () => {
  const archive = zipSync({ 'word/document.xml': strToU8('<x/>'), 'word/media/a.png': new Uint8Array(9) })
  expect(await docxText(file(archive), mammoth)).toBe(`A ${archive.length}\n\nB`)
})
