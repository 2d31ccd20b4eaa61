// Reads PDF or Word files by an optional package, whose address and format the main thread gives. A file of some
// kilobytes may unpack to more than memory holds: this thread then ends, and the command goes on.
import { parentPort, workerData } from 'node:worker_threads'

const opening = import(workerData.url)
const read = { pdf: pdfPages, docx: docxHtml }[workerData.format]

parentPort.on('message', async (bytes) => {
  try {
    parentPort.postMessage({ result: await read(await opening, bytes) })
  } catch (error) {
    parentPort.postMessage({ error: String(error?.message ?? error) })
  }
})

/** The pieces of text on each page. */
async function pdfPages({ getDocumentProxy }, bytes) {
  const pdf = await getDocumentProxy(new Uint8Array(bytes))
  const pages = []
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number)
    const { items } = await page.getTextContent()
    const texts = items.filter(({ str }) => typeof str === 'string')
    pages.push(
      texts.map(({ str, transform, width, height, hasEOL }) => ({
        text: str,
        transform,
        width,
        height,
        endsLine: hasEOL,
      })),
    )
    page.cleanup()
  }
  return pages
}

/** The HTML of a Word file; its pictures are not in the archive. */
async function docxHtml(module, bytes) {
  const { convertToHtml, images } = module.default ?? module
  const { value } = await convertToHtml(
    { buffer: Buffer.from(bytes) },
    {
      convertImage: images.imgElement(async () => ({})),
      styleMap: ["br[type='page'] => hr", "br[type='column'] => hr"],
    },
  )
  return value
}
