import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { dirname, join } from 'node:path'
import { messageOf } from '../errors.ts'
import { openRun } from '../run/open-run.ts'
import { renderReport, type ReportSettings } from './report.ts'

/** Seconds after which a browser loads the page again while a run goes on. */
const refreshSeconds = 10

/**
 * Serves the report of runs on a random port of the loopback interface, until the server is closed. It answers GET and
 * HEAD for the pages of the report and its graph pages alone, and writes nothing. While a run goes on, a request for a
 * page builds the report anew. Throws UserError as `report` does.
 */
export async function serveReport(
  runs: readonly string[],
  settings: Pick<ReportSettings, 'texts' | 'results'>,
): Promise<{ readonly server: Server; readonly address: string }> {
  let pages = await buildPages(runs, settings)
  const replyTo = async ({ method = '', url = '', headers: { host = '' } }: IncomingMessage): Promise<Reply> => {
    // a name that another site lets point here would give it access
    if (![`127.0.0.1:${portOf(server)}`, `localhost:${portOf(server)}`].includes(host))
      return { status: 403, text: 'only for this computer' }
    if (method !== 'GET' && method !== 'HEAD')
      return { status: 405, text: 'read-only', headers: { allow: 'GET, HEAD' } }
    const { pathname } = new URL(url, 'http://localhost')
    const path = pathname === '/' ? '/index.html' : pathname
    if (pages.isRunning && pages.texts.has(path)) pages = await buildPages(runs, settings)
    const page = pages.texts.get(path)
    if (!page) return { status: 404, text: 'no such page' }
    const text = await page()
    const headers = pages.isRunning ? { refresh: `${refreshSeconds}` } : {}
    return { status: 200, text, headers }
  }
  const server = createServer((request, response) => {
    const failed = (error: unknown): Reply => ({ status: 500, text: messageOf(error) })
    void replyTo(request)
      .catch(failed)
      .then(({ status, text, headers }) => {
        const type = status === 200 ? 'text/html' : 'text/plain'
        response.writeHead(status, { ...commonHeaders, 'content-type': `${type}; charset=utf-8`, ...headers })
        response.end(request.method === 'HEAD' ? undefined : text)
      })
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve))
  return { server, address: `http://127.0.0.1:${portOf(server)}/` }
}

interface Reply {
  readonly status: number
  readonly text: string
  readonly headers?: Readonly<Record<string, string>>
}

function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return address.port
}

const commonHeaders = {
  'cache-control': 'no-store',
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}

/** Texts of pages by path, with addresses as seen from beside the first results folder. */
async function buildPages(names: readonly string[], settings: Parameters<typeof serveReport>[1]) {
  const { results } = await openRun(names[0] ?? '', settings)
  const root = dirname(results.folder)
  const { page, runs } = await renderReport(names, join(root, 'index.html'), settings)
  const texts = new Map<string, () => string | Promise<string>>([['/index.html', () => page.text]])
  for (const { address } of runs.flatMap((run) => run.graphs))
    texts.set(`/${address}`, () => readFile(join(root, decodeURIComponent(address)), 'utf8'))
  return { texts, isRunning: runs.some(({ manifest }) => manifest.finished === null) }
}
