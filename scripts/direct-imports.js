// A plugin of esbuild for the sources: an import from a folder's index.ts becomes imports from the files that it names.
// Otherwise one import from a folder would load all of the folder.
import { existsSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const packages = fileURLToPath(new URL('../node_modules', import.meta.url))

/**
 * Packages of many files, or much larger than what we use of them: the build bundles what we use. Entries export the
 * package itself.
 */
const bundledPackages = {
  zod: 'zod/v4/classic/external.js',
  'zod/v4/core': 'zod/v4/core/index.js',
  commander: 'commander/index.js',
  openai: 'openai/index.mjs',
  vega: 'vega/build/vega.module.js',
  'vega-lite': 'vega-lite/build/index.js',
  picocolors: 'picocolors/picocolors.js',
  'entities/decode': 'entities/dist/decode.js',
  'fastest-levenshtein': 'fastest-levenshtein/esm/mod.js',
  jsonrepair: 'jsonrepair/lib/esm/index.js',
  'ml-kmeans': 'ml-kmeans/lib/index.js',
  'ml-matrix': 'ml-matrix/src/index.js',
  'p-limit': 'p-limit/index.js',
  stemmer: 'stemmer/index.js',
  yaml: 'yaml/browser/dist/index.js',
  'csv-parse': 'csv-parse/lib/index.js',
  'csv-parse/sync': 'csv-parse/lib/sync.js',
  'csv-stringify/sync': 'csv-stringify/lib/sync.js',
}

/** Other packages stay external. The files of `entries` keep their exports. */
export function directImports(entries) {
  const { isIndex, originOf } = indexes(entries)
  const setup = (bundler) => {
    bundler.onResolve({ filter: /./ }, ({ path, resolveDir, kind, importer }) => {
      if (kind === 'entry-point') return undefined
      const isOfPackage = resolveDir.startsWith(packages)
      if (!isOfPackage && !entries.includes(importer) && Object.hasOwn(bundledPackages, path))
        return { path: join(packages, bundledPackages[path]), sideEffects: false }
      // and the packages that it imports
      if (isOfPackage && !isBuiltin(path)) return undefined
      // no file of ours has side effects: an unused one is dropped
      if (!path.startsWith('.')) return { path, external: true, sideEffects: false }
      const file = resolve(resolveDir, path)
      return { path: file, sideEffects: false, ...(kind === 'dynamic-import' && isIndex(file) && { suffix: '?all' }) }
    })
    // a module of ours has no require
    bundler.onLoad({ filter: /commander[\\/]lib[\\/]command\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll("require('node:", "globalThis.process.getBuiltinModule('node:"),
    }))
    // messages in fifty languages
    bundler.onLoad({ filter: /zod[\\/]v4[\\/](core[\\/]index|classic[\\/]external)\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(/^export \* as locales .*$/m, ''),
    }))
    bundler.onLoad({ filter: /\.ts$/ }, ({ path, suffix }) => {
      const text = readFileSync(path, 'utf8')
      const code = isIndex(path) && suffix !== '?all' ? text.replaceAll(/^export \{[^}]*\} from '[^']+'\n/gm, '') : text
      const contents = code.replaceAll(
        /^(import|export) \{([^}]*)\} from '([^']+)'$/gm,
        (line, verb, names, target) => {
          // a namespace that is exported by name would keep all of it
          if (target === 'zod' && !entries.includes(path)) return "import * as z from 'zod'"
          const index = resolve(dirname(path), target)
          if (!isIndex(index) || !existsSync(index)) return line
          return specifiers(names)
            .map(({ name, as }) => {
              const { file, name: there } = originOf(index, name)
              return `${verb} { ${there} as ${as} } from '${placeFrom(path, file)}'`
            })
            .join('\n')
        },
      )
      return { contents, loader: 'ts' }
    })
  }
  return { name: 'direct-imports', setup }
}

/**
 * Does the same to the text of a declaration file at a path; the files of `entries` stay as they are. All paths end in
 * `.ts`, as those of sources.
 */
export function directTypes(entries) {
  const { isIndex, originOf } = indexes(entries)
  return (text, path) => {
    const indexOf = (target) => {
      const index = resolve(dirname(path), target)
      return isIndex(index) ? index : undefined
    }
    return text
      .replaceAll(
        /^(import|export)( type)? \{([^}]*)\} from ['"](\.[^'"]+)['"];$/gm,
        (line, verb, typeKeyword, names, target) => {
          const index = indexOf(target)
          if (!index) return line
          return specifiers(names, 'types')
            .map(({ name, as, type }) => {
              const { file, name: there } = originOf(index, name)
              return `${verb} {${typeKeyword || type ? ' type' : ''} ${there} as ${as} } from '${placeFrom(path, file)}';`
            })
            .join('\n')
        },
      )
      .replaceAll(/import\(["'](\.[^"']+)["']\)\.(\w+)/g, (text, target, name) => {
        const index = indexOf(target)
        if (!index) return text
        const { file, name: there } = originOf(index, name)
        return `import("${placeFrom(path, file)}").${there}`
      })
  }
}

/** The exports of each index.ts outside of `entries`. */
function indexes(entries) {
  const namesByIndex = new Map()
  const isIndex = (file) => file.endsWith(`${sep}index.ts`) && !entries.includes(file)
  /** The file that a name of an index.ts comes from, and its name there. */
  const originOf = (index, name) => {
    if (!namesByIndex.has(index)) namesByIndex.set(index, readIndex(index))
    const origin = namesByIndex.get(index).get(name) ?? { file: index, name }
    return origin.file !== index && isIndex(origin.file) ? originOf(origin.file, origin.name) : origin
  }
  return { isIndex, originOf }
}

/** The index.ts of a folder of declarations is the file `index.d.ts`. */
function readIndex(index) {
  const indexFile = existsSync(index) ? index : index.replace(/\.ts$/, '.d.ts')
  const origins = new Map()
  for (const [, names, target] of readFileSync(indexFile, 'utf8').matchAll(
    /^export (?:type )?\{([^}]*)\} from '([^']+)';?$/gm,
  ))
    for (const { name, as } of specifiers(names, 'types'))
      origins.set(as, { file: resolve(dirname(index), target), name })
  return origins
}

function placeFrom(path, file) {
  const place = relative(dirname(path), file).replaceAll(sep, '/')
  return place.startsWith('.') ? place : `./${place}`
}

/** A list of names; without `types`, its values alone: types are nothing when a program runs. */
const specifiers = (list, types) =>
  list
    .split(',')
    .map((specifier) => specifier.trim())
    .filter((specifier) => specifier !== '' && (types || !specifier.startsWith('type ')))
    .map((specifier) => {
      const [name, as = name] = specifier.replace(/^type /, '').split(' as ')
      return { name, as, type: specifier.startsWith('type ') }
    })
