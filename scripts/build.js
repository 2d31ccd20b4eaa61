// Builds dist, where something that it is made of has changed since the last time: the compiler alone would take half a
// second to find that out. The programs are bundled, with what several of them need in files of their own: a command
// loads few files, and only the code that it runs.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { directImports, directTypes } from './direct-imports.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'dist')
const buildStamp = join(dist, '.built')
const madeOf = [
  'src',
  'scripts/build.js',
  'scripts/direct-imports.js',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
]
const { bin, exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const modules = Object.values(exports).map((target) => target.default)

if (madeOf.some((name) => isNewer(join(root, name), timeOf(buildStamp)))) {
  const buildStart = new Date()
  const compiler = compilerOf()
  const { status } = spawnSync(process.execPath, [compiler, '--build', 'tsconfig.build.json'], {
    cwd: root,
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(status ?? 1)
  const { build } = await import('esbuild')
  for (const name of readdirSync(dist)) if (name !== '.types') rmSync(join(dist, name), { recursive: true })
  await bundlePrograms(build)
  await bundlePages(build)
  writeFileSync(join(dist, 'kernels.wasm'), readFileSync(join(root, 'src/math/kernels.wasm')))
  copyTypes(modules)
  // not of datasets, of which it also says what is on this disk
  for (const kind of ['methods', 'scorers', 'models']) writeList(kind)
  writeFileSync(buildStamp, '')
  // a file that changes during the build counts as newer
  utimesSync(buildStamp, buildStart, buildStart)
}

/** The command, what others import, and what runs in threads and processes of its own. */
async function bundlePrograms(build) {
  const threads = filesOf(join(root, 'src')).filter((name) => /-thread\.js$/.test(name))
  const programs = [bin.gembench, ...modules].map((file) => file.replace(/^\.\/|\.js$/g, '').replace(/^dist\//, ''))
  const { metafile } = await build({
    metafile: true,
    absWorkingDir: root,
    entryPoints: [
      ...programs.map((name) => ({ in: `src/${name}.ts`, out: name })),
      ...threads.map((name) => ({ in: `src/${name}`, out: basename(name, '.js') })),
    ],
    outdir: 'dist',
    bundle: true,
    splitting: true,
    charset: 'utf8',
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    plugins: [directImports(programs.map((name) => join(root, 'src', `${name}.ts`)))],
    logLevel: 'warning',
  })
  writeLicences(Object.keys(metafile.inputs))
}

/** Writes the licences of the bundled packages, as these licences demand. */
function writeLicences(files) {
  const folders = new Set(files.flatMap((file) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []))
  const licences = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
    const file = readdirSync(join(root, folder)).find((name) => /^licen[cs]e/i.test(name))
    return `${name} ${version}, ${license}\n\n${file ? readFileSync(join(root, folder, file), 'utf8').trim() : ''}\n`
  })
  writeFileSync(join(dist, 'LICENCES.txt'), licences.join(`\n${'-'.repeat(80)}\n\n`))
}

/** The code and the style of each page, which run in a browser. */
async function bundlePages(build) {
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
}

/** Writes what `gembench ls` prints of a registry, so that it need not load every item. */
function writeList(kind) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, bin.gembench), 'ls', kind, '--json'])
  if (status !== 0) throw new Error(`ls ${kind}: ${stderr}`)
  writeFileSync(join(dist, `listed-${kind}.json`), stdout)
}

/**
 * Puts the declarations in dist that a program needs which imports one of these modules: the compiler makes those of
 * all files.
 */
function copyTypes(files) {
  const declarations = join(dist, '.types')
  const seenNames = new Set()
  const direct = directTypes(
    files.map((file) => join(declarations, file.replace('./dist/', '').replace(/\.js$/, '.ts'))),
  )
  const copy = (name) => {
    if (seenNames.has(name) || !existsSync(join(declarations, name))) return
    seenNames.add(name)
    mkdirSync(dirname(join(dist, name)), { recursive: true })
    const text = direct(
      readFileSync(join(declarations, name), 'utf8'),
      join(declarations, name.replace(/\.d\.ts$/, '.ts')),
    )
    writeFileSync(join(dist, name), text)
    for (const [, target] of text.matchAll(/(?:from |import\()["'](\.{1,2}\/[^"']+)\.[jt]s["']/g))
      copy(join(dirname(name), `${target}.d.ts`))
  }
  for (const file of files) copy(file.replace('./dist/', '').replace(/\.js$/, '.d.ts'))
}

/** Without the development dependencies there is none, and what is in dist is of other sources. */
function compilerOf() {
  try {
    // version 7 takes half of the time of version 6, which eslint needs
    return join(dirname(createRequire(root).resolve('typescript-native/package.json')), 'bin/tsc')
  } catch {
    process.stderr.write('the sources have changed, and there is no compiler: npm install --include=dev\n')
    process.exit(1)
  }
}

/** The files in a folder and below it, by their paths in it. */
function filesOf(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
}

/**
 * Whether a file, or anything in a folder, was changed after that time. A folder changes when something in it is added,
 * renamed or removed.
 */
function isNewer(path, time) {
  const stats = statSync(path)
  if (stats.mtimeMs >= time) return true
  return stats.isDirectory() && readdirSync(path).some((name) => isNewer(join(path, name), time))
}

/** When a file was last changed, in milliseconds; before everything where there is none. */
function timeOf(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? -Infinity
}
