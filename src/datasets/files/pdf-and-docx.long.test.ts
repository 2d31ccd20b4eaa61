import { pathToFileURL } from 'node:url'
import { zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { fileOf } from '../../test-support/dataset-copies/write-files.ts'
import { docxText, pdfText } from './pdf-and-docx.ts'

const file = (content: string | Uint8Array, name = 'a.bin'): string => fileOf(content, name)

const mammoth = pathToFileURL(
  file('exports.convertToHtml = async () => ({ value: "", messages: [] })', 'mammoth.cjs'),
).href
/** A module that exports what the package does, as far as it is used; two first bytes fill its memory. */
const unpdf = pathToFileURL(
  file(
    `export const getDocumentProxy = async (bytes) => {
      if (bytes[0] === 0x41) for (const kept = []; ; ) kept.push(new Array(1e6).fill({}))
      if (bytes[0] === 0x42) for (const kept = []; ; ) kept.push(new Uint8Array(1e7).fill(1))
      const items = [{ str: 'One', transform: [9, 0, 0, 9, 0, 0], width: 9, height: 9, hasEOL: false }]
      return { numPages: 1, getPage: async () => ({ getTextContent: async () => ({ items }), cleanup() {} }) }
    }`,
    'unpdf.mjs',
  ),
).href

test('rejects a Word file that unpacks to more than memory holds', async () => {
  const large = zipSync({ 'word/document.xml': new Uint8Array(2 ** 27 + 1) })
  await expect(docxText(file(large), mammoth)).rejects.toThrow(
    /a\.bin: cannot be read as DOCX \(its texts unpack to 134217729 bytes, more than 134217728\)$/,
  )
  // the directory says less than there is: after 24 bytes of its entry
  const lies = Buffer.from(zipSync({ 'word/document.xml': new Uint8Array(2 ** 22) }))
  lies.writeUInt32LE(9, lies.lastIndexOf(Buffer.from('PK\x01\x02', 'latin1')) + 24)
  await expect(docxText(file(lies), mammoth)).rejects.toThrow(/a\.bin: cannot be read as DOCX \(/)
})

test.each(['A', 'B'])('rejects a PDF that uses too much memory and reads the next one (%s)', async (bomb) => {
  await expect(pdfText(file(bomb), unpdf)).rejects.toThrow(/a\.bin: .* PDF \(it takes more than 1024 MiB of memory\)$/)
  expect(await pdfText(file('%PDF'), unpdf)).toBe('One')
})
