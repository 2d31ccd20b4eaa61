import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { delimiter, join, resolve } from 'node:path'
import { knowSecret, UserError } from '../../errors.ts'
import { z } from 'zod'
import { folderOption } from '../../define.ts'

/** The files in a command line. Throws UserError if the program, its script or its folder is missing. */
export async function programFiles({ run, folder }: CommandOptions): Promise<readonly string[]> {
  const [program = '', ...args] = run
  if (program === '')
    throw new UserError("run is missing: give the program and its arguments, such as run: ['python3', 'my_rag.py']")
  if (!(await isThere(folder, 'folder'))) throw new UserError(`folder: there is no folder ${folder}`)
  const path = /[\\/]/.test(program) ? resolve(folder, program) : undefined
  if (path === undefined && !(await isOnPath(program)))
    throw new UserError(`run: there is no program "${program}" on the PATH`)
  if (path !== undefined && !(await canRun(path))) throw new UserError(`run: ${path} is no program that can be started`)
  const [script = ''] = args
  if (/^[^-].*\.(py|[cm]?[jt]s|rb|pl|sh|jar|R)$/.test(script) && !(await isThere(resolve(folder, script), 'file')))
    throw new UserError(`run: there is no file ${resolve(folder, script)}`)
  const files = path === undefined ? [] : [path]
  for (const text of args) if (await isThere(resolve(folder, text), 'file')) files.push(resolve(folder, text))
  return files
}

const isThere = (path: string, kind: 'file' | 'folder'): Promise<boolean> =>
  stat(path).then(
    (entry) => (kind === 'file' ? entry.isFile() : entry.isDirectory()),
    () => false,
  )

const canRun = async (path: string): Promise<boolean> =>
  (await isThere(path, 'file')) &&
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  )

async function isOnPath(program: string): Promise<boolean> {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter))
    if (folder !== '' && (await canRun(join(folder, program)))) return true
  return false
}

/** Environment variables that every program gets; never the keys of the run's models. */
const defaultVariables = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TMPDIR']

/** The environment of a program: default variables, those of the config, and the address of the model server. */
export function environmentOf(
  names: readonly string[],
  { baseUrl, token }: { readonly baseUrl: string; readonly token: string },
): Readonly<Record<string, string>> {
  for (const name of names) knowSecret(process.env[name] ?? '')
  const variables = [...defaultVariables, ...names].flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return {
    ...Object.fromEntries(variables),
    OPENAI_BASE_URL: baseUrl,
    OPENAI_API_KEY: token,
    GEMBENCH_CHAT_MODEL: modelNames.complete,
    GEMBENCH_EMBED_MODEL: modelNames.embed,
    // unbuffered, so that replies arrive at once
    PYTHONUNBUFFERED: '1',
    PYTHONIOENCODING: 'utf-8',
  }
}

/** Names of the models for programs, whatever the config has. */
export const modelNames = { complete: 'complete', embed: 'embed' } as const

export const commandOptions = z.strictObject({
  run: z
    .array(z.string())
    .default([])
    .describe(
      "The program and its arguments, one text each: ['python3', 'my_rag.py']. No shell reads them; files among them count in results by their bytes.",
    ),
  folder: folderOption(z.string().min(1).default('.')).describe(
    'The folder in which it runs, and from which relative files in `run` are seen; relative to the config file.',
  ),
  answers: z
    .boolean()
    .default(false)
    .describe(
      "Whether it answers questions itself, in place of the run's answerer: its row is marked and not compared with the others.",
    ),
  env: z
    .array(z.string().regex(/^[A-Za-z_]\w*$/, 'must be names of variables of the environment'))
    .default([])
    .describe(
      'Names of further variables of the environment that it gets; without them PATH, HOME, LANG, LC_ALL and TMPDIR alone.',
    ),
  options: z
    .record(z.string(), z.unknown())
    .default({})
    .describe('Options of its own: it gets them with the request for an index.'),
})

/** Parsed options; `folder` is absolute. */
export type CommandOptions = z.infer<typeof commandOptions>
