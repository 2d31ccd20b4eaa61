import PDFDocument from 'pdfkit'
import SVGtoPDF from 'svg-to-pdfkit'

interface PdfFigure {
  readonly bytes: Uint8Array
  /** How many letters the font of the PDF lacks; each is a question mark. */
  readonly foreign: number
}

/**
 * A figure as PDF in Helvetica, which knows Latin 1 alone; the same bytes each time. Throws Error for SVG without a
 * size.
 */
export async function pdfOf(svg: string, title: string): Promise<PdfFigure> {
  const [width, height] = ['width', 'height'].map((side) =>
    Number(new RegExp(`^<svg [^>]*\\b${side}="([\\d.]+)"`).exec(svg)?.[1]),
  )
  if (!width || !height) throw new Error(`the figure ${title} has no size`)
  const known = svg
    .replaceAll('−', '-')
    .replace(/&#(\d+);/g, (mark, code: string) => (Number(code) > 127 ? String.fromCodePoint(Number(code)) : mark))
  const letters = known.match(foreign)?.length ?? 0
  const file = new PDFDocument({
    size: [width, height],
    margin: 0,
    info: { Title: title.replace(foreign, '?'), CreationDate: new Date(0) },
  })
  const pieces: Uint8Array[] = []
  const ended = new Promise<void>((resolve, reject) =>
    file
      .on('data', (piece: Uint8Array) => pieces.push(piece))
      .on('end', resolve)
      .on('error', reject),
  )
  SVGtoPDF(file, known.replace(foreign, '?'), 0, 0, {
    assumePt: true,
    fontCallback: (_family, bold) => (bold ? 'Helvetica-Bold' : 'Helvetica'),
  })
  file.end()
  await ended
  return { bytes: Buffer.concat(pieces), foreign: letters }
}

/** What the encoding of the PDF's font, Windows-1252, does not have. */
const foreign = /[^\u0000-\u00ff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]/gu
