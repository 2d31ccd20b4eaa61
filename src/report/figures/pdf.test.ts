import { expect, test } from 'vitest'
import { pdfOf } from './pdf.ts'

const svg = (text: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 200" width="300" height="200"><text x="10" y="20" fill="#22262b">${text}</text></svg>`

test('a figure is a page of its size, the same bytes each time', async () => {
  const { bytes, foreign } = await pdfOf(svg('accuracy (%) ± 1 – “bm25” −2'), 'ranked')
  const text = Buffer.from(bytes).toString('latin1')
  expect(text).toMatch(/^%PDF-1\./)
  expect(text).toContain('/MediaBox [0 0 300 200]')
  expect(text).toContain('/BaseFont /Helvetica')
  expect(foreign).toBe(0)
  expect(Buffer.from((await pdfOf(svg('accuracy (%) ± 1 – “bm25” −2'), 'ranked')).bytes).equals(bytes)).toBe(true)
})

test('letters that the font lacks are counted, also as references', async () => {
  expect((await pdfOf(svg('方法 λ &#955; &#60;'), 'x')).foreign).toBe(4)
})

test('a drawing without a size is an error', async () => {
  await expect(pdfOf('<svg viewBox="0 0 1 1"></svg>', 'x')).rejects.toThrow('the figure x has no size')
})
