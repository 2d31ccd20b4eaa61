import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { arch, cpus, platform, totalmem } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { packageFolder } from '../../basics/files.ts'
import type { Manifest } from '../../records.ts'

interface PackageManifest {
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const packageOf = (folder: string): PackageManifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PackageManifest

const versionOf = (folder: string) => packageOf(folder).version

export const version = () => versionOf(packageFolder)

/** The versions that results may depend on: Node and the installed dependencies. */
export function versions(): Manifest['versions'] {
  const resolver = createRequire(import.meta.url)
  const { dependencies, optionalDependencies } = packageOf(packageFolder)
  const result: Record<string, string> = { node: process.versions.node }
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const folders = (resolver.resolve.paths(name) ?? []).map((path) => join(path, name))
    const folder = folders.find((path) => existsSync(join(path, 'package.json')))
    if (folder !== undefined) result[name] = versionOf(folder)
  }
  return result
}

/** The hardware, without names of host and user; `isEmbedder`: embeddings were computed on it. */
export const machine = (isEmbedder = false): Manifest['machine'] => ({
  platform: platform(),
  architecture: arch(),
  processor: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  ...(isEmbedder && { instructionSet: instructionSet() }),
})

/** The widest vector instructions that an embedder may use; 'unknown' if the system does not list them. */
export function instructionSet(architecture: string = arch(), cpuInfo = readCpuInfo()) {
  if (architecture === 'arm64') return 'NEON'
  const flags = new Set(/^flags\s*:(.*)$/m.exec(cpuInfo)?.[1]?.split(/\s+/))
  const [name] = Object.entries(vectorFlags).find(([, flag]) => flags.has(flag)) ?? []
  return name ?? 'unknown'
}

const vectorFlags = { 'AVX-512': 'avx512f', AVX2: 'avx2', AVX: 'avx', SSE2: 'sse2' }

/** Linux only: no other system lists the flags in a file. */
function readCpuInfo(): string {
  try {
    return readFileSync('/proc/cpuinfo', 'utf8')
  } catch {
    return ''
  }
}

/**
 * The commit of a config file and whether its work tree has changes; null outside git. The folder may be
 * third-party: git runs no hook, monitor or filter of it (`dirty` is null if it configures a filter).
 */
export async function gitState(file: string | undefined): Promise<Manifest['git']> {
  const cwd = file === undefined ? process.cwd() : dirname(file)
  const { PATH, HOME, USERPROFILE } = process.env
  const env = { PATH, HOME, USERPROFILE, GIT_OPTIONAL_LOCKS: '0' }
  const git = async (...args: readonly string[]): Promise<string> => {
    const { stdout } = await promisify(execFile)('git', [...safeFlags, ...args], { cwd, env })
    return stdout.trim()
  }
  try {
    const commit = await git('rev-parse', 'HEAD')
    const settings = await git('config', '--show-scope', '--name-only', '--list')
    if (/^(?!global|system)\w+\tfilter\./m.test(settings)) return { commit, dirty: null }
    return { commit, dirty: (await git('status', '--porcelain', '--untracked-files=no')) !== '' }
  } catch {
    return null
  }
}

const safeFlags = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', '--no-pager'] as const
