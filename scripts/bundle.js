// Bundles the code and the style of each page, which run in a browser, into a folder of dist/client; esbuild comes with tsx.
import { build } from 'esbuild'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const pages = { graph: 'src/report/graph/client', report: 'src/report/page/client' }

await build({
  absWorkingDir: root,
  entryPoints: Object.entries(pages).flatMap(([page, folder]) => [
    { in: `${folder}/main.ts`, out: `${page}/main` },
    { in: `${folder}/style.css`, out: `${page}/style` },
  ]),
  outdir: 'dist/client',
  bundle: true,
  minify: true,
  charset: 'utf8',
  format: 'iife',
  target: 'es2022',
  logLevel: 'warning',
})
