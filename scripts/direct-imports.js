// A plugin of esbuild for the sources: an import from a room's index.ts becomes imports from the files that it names. Otherwise whatever
// takes one thing from a room would load all of what the room gives.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, relative, resolve, sep } from 'node:path'

/** Packages stay outside. The files of `entries` give to others what they give, and stay as they are. */
export function directImports(entries) {
  const given = new Map()
  /** The file that a name of an index.ts comes from, and its name there. */
  const originOf = (index, name) => {
    if (!given.has(index)) given.set(index, readIndex(index))
    const origin = given.get(index).get(name) ?? { file: index, name }
    return origin.file !== index && isIndex(origin.file) ? originOf(origin.file, origin.name) : origin
  }
  const isIndex = (file) => file.endsWith(`${sep}index.ts`) && !entries.includes(file)
  const setup = (bundler) => {
    bundler.onResolve({ filter: /./ }, ({ path, resolveDir, kind }) => {
      if (kind === 'entry-point') return undefined
      // no file of ours does anything when it is loaded: one of which nothing is used is left out
      if (!path.startsWith('.')) return { path, external: true, sideEffects: false }
      const file = resolve(resolveDir, path)
      return { path: file, sideEffects: false, ...(kind === 'dynamic-import' && isIndex(file) && { suffix: '?whole' }) }
    })
    bundler.onLoad({ filter: /\.ts$/ }, ({ path, suffix }) => {
      const text = readFileSync(path, 'utf8')
      const own =
        isIndex(path) && suffix !== '?whole' ? text.replaceAll(/^export \{[^}]*\} from '[^']+'\n/gm, '') : text
      const contents = own.replaceAll(/^import \{([^}]*)\} from '([^']+)'$/gm, (line, names, target) => {
        const index = resolve(dirname(path), target)
        if (!isIndex(index) || !existsSync(index)) return line
        return specifiers(names)
          .map(({ name, as }) => {
            const { file, name: there } = originOf(index, name)
            const place = relative(dirname(path), file)
            return `import { ${there} as ${as} } from '${place.startsWith('.') ? place : `./${place}`}'`
          })
          .join('\n')
      })
      return { contents, loader: 'ts' }
    })
  }
  return { name: 'direct-imports', setup }
}

function readIndex(index) {
  const found = new Map()
  for (const [, names, target] of readFileSync(index, 'utf8').matchAll(/^export \{([^}]*)\} from '([^']+)'$/gm))
    for (const { name, as } of specifiers(names)) found.set(as, { file: resolve(dirname(index), target), name })
  return found
}

/** The values of a list of names; types are nothing when a program runs. */
const specifiers = (list) =>
  list
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '' && !one.startsWith('type '))
    .map((one) => {
      const [name, as = name] = one.split(' as ')
      return { name, as }
    })
