import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { delimiter, resolve } from 'node:path'
import { knowSecret, UserError } from '../../errors.ts'
import { z } from 'zod'
import { folderOption } from '../../define.ts'
import { flag } from '../shared/options.ts'

/** The files in a command line. Throws UserError if the program, its script or its folder is missing. */
export async function programFiles({ run, folder }: CommandOptions): Promise<readonly string[]> {
  const [program = '', ...args] = run
  if (program === '')
    throw new UserError("run is missing: give the program and its arguments, such as run: ['python3', 'my_rag.py']")
  if (!(await stat(folder).catch(() => undefined))?.isDirectory())
    throw new UserError(`folder: there is no folder ${folder}`)
  const isPath = /[\\/]/.test(program)
  const folders = isPath ? [folder] : (process.env['PATH'] ?? '').split(delimiter)
  const candidates = folders.map((place) => resolve(place, program))
  const runnable = await Promise.all(candidates.map(canRun))
  if (!runnable.includes(true))
    throw new UserError(
      isPath
        ? `run: ${resolve(folder, program)} is no program that can be started`
        : `run: there is no program "${program}" on the PATH`,
    )
  const paths = args.map((text) => resolve(folder, text))
  const areFiles = await Promise.all(paths.map(isFile))
  if (/^[^-].*\.(py|[cm]?[jt]s|rb|pl|sh|jar|R)$/.test(args[0] ?? '') && areFiles[0] === false)
    throw new UserError(`run: there is no file ${paths[0]}`)
  return [...(isPath ? candidates : []), ...paths.filter((_, at) => areFiles[at])]
}

async function isFile(path: string): Promise<boolean> {
  const stats = await stat(path).catch(() => undefined)
  return stats?.isFile() ?? false
}

const canRun = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => isFile(path),
    () => false,
  )

/** Environment variables that every program gets; never the keys of the run's models. */
const defaultVariables = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TMPDIR']

/** The environment of a program: default variables, those of the config, and the address of the model server. */
export function environmentOf(
  names: readonly string[],
  { baseUrl, token }: { readonly baseUrl: string; readonly token: string },
): NodeJS.ProcessEnv {
  for (const name of names) knowSecret(process.env[name] ?? '')
  const variableNames = [...defaultVariables, ...names]
  const variables = Object.entries(process.env).filter(([name]) => variableNames.includes(name))
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
  answers: flag(
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
