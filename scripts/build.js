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
const built = join(dist, '.built')
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
const modules = Object.values(exports).map((one) => one.default)

if (madeOf.some((name) => isNewer(join(root, name), timeOf(built)))) {
  const begun = new Date()
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
  copyTypes(modules)
  // not of datasets, of which it also says what is on this disk
  for (const what of ['methods', 'scorers', 'models']) writeListed(what)
  writeFileSync(built, '')
  // what changes while it is built is built the next time
  utimesSync(built, begun, begun)
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

/** Writes the licences of the packages that are part of what is built, as these licences ask. */
function writeLicences(files) {
  const folders = new Set(files.flatMap((file) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []))
  const licences = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
    const file = readdirSync(join(root, folder)).find((one) => /^licen[cs]e/i.test(one))
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

/** Writes what `gembench ls` prints of a menu, so that it need not load every item. */
function writeListed(what) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, bin.gembench), 'ls', what, '--json'])
  if (status !== 0) throw new Error(`ls ${what}: ${stderr}`)
  writeFileSync(join(dist, `listed-${what}.json`), stdout)
}

/**
 * Puts the declarations in dist that a program needs which imports one of these modules: the compiler makes those of
 * all files.
 */
function copyTypes(files) {
  const made = join(dist, '.types')
  const copied = new Set()
  const direct = directTypes(files.map((file) => join(made, file.replace('./dist/', '').replace(/\.js$/, '.ts'))))
  const copy = (name) => {
    if (copied.has(name) || !existsSync(join(made, name))) return
    copied.add(name)
    mkdirSync(dirname(join(dist, name)), { recursive: true })
    const text = direct(readFileSync(join(made, name), 'utf8'), join(made, name.replace(/\.d\.ts$/, '.ts')))
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
