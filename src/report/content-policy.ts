import { createHash } from 'node:crypto'

/** The content policy of a page that asks nothing of a network and runs nothing but this style and this code. */
export const contentPolicy = (style: string, code: string): string =>
  `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${hashOf(style)}; script-src ${hashOf(code)}; base-uri 'none'; form-action 'none'">`

/** Data for the code of a page in an element that runs nothing; a "<" could end it, and is escaped. */
export const inertJson = (id: string, value: unknown): string =>
  `<script type="application/json" id="${id}">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
