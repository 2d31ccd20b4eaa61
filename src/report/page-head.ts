import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { packageFolder } from '../basics/files.ts'
import { UserError } from '../errors.ts'

/** What distinguishes a page: `mark` names the command that wrote it, `client` its bundle of code and style. */
interface PageKind {
  readonly mark: string
  readonly title: string
  readonly client: 'graph' | 'report'
}

/**
 * A page around its body. The content policy allows only the page's own style and code, and no network. Throws
 * UserError where `npm run build` has not made them.
 */
export function htmlPage({ mark, title, client }: PageKind, body: string): string {
  const code = read(`${client}/main.js`)
  const style = read(`${client}/style.css`)
  return `<!doctype html>
<!-- ${mark} -->
<html lang="en">
<head>
<meta charset="utf-8">
${contentPolicy(style, code)}
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escapeXml(title)}</title>
<style>${style}</style>
</head>
<body>
${body}
<script>${code}</script>
</body>
</html>
`
}

function contentPolicy(style: string, code: string) {
  const sources = `style-src ${hashOf(style)}; script-src ${hashOf(code)}`
  const policy = `default-src 'none'; ${sources}; base-uri 'none'; form-action 'none'`
  return `<meta http-equiv="Content-Security-Policy" content="${policy}">`
}

/** JSON in an inert script element; escapes "<", which could close it. */
export const inertJson = (id: string, value: unknown): string =>
  `<script type="application/json" id="${id}">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`

/** Packed JSON in an inert script element. */
export const inertText = (id: string, packedJson: string): string =>
  `<script type="text/plain" id="${id}">${packedJson}</script>`

/** JSON, deflated, in base 64; the client's `unpackJson` reads it. Long texts that repeat take little space. */
export const packJson = (value: unknown, replacer?: (key: string, value: unknown) => unknown): string =>
  deflateRawSync(JSON.stringify(value, replacer), { level: 9 }).toString('base64')

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

function read(name: string) {
  const file = join(packageFolder, 'dist', 'client', name)
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new UserError(`${file}: is missing; run npm run build`, { cause: error })
  }
}

/** Escapes text for XML or HTML, also in quoted attributes; replaces characters that XML 1.0 forbids with U+FFFD. */
export const escapeXml = (text: string): string =>
  text.replace(forbidden, '\ufffd').replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`)

// XML 1.0, 2.2: no control characters but tab and line ends, no lone surrogates, neither U+FFFE nor U+FFFF
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff\ufffe\uffff]/gu
