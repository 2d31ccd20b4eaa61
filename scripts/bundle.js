// Bundles the code and the style of the report page, which run in a browser, into dist/client/report; esbuild comes with tsx.
import { build } from 'esbuild'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

await build({
  absWorkingDir: root,
  entryPoints: ['src/report/page/client/main.ts', 'src/report/page/client/style.css'],
  outdir: 'dist/client/report',
  bundle: true,
  minify: true,
  charset: 'utf8',
  format: 'iife',
  target: 'es2022',
  logLevel: 'warning',
})
