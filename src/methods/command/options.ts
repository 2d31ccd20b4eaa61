import { z } from 'zod'
import { folderOption } from '../../define.ts'

/** What is started, where, and what it is told. */
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
  random: z
    .boolean()
    .default(false)
    .describe(
      'Whether its index draws random numbers: then it is given a seed for it, and each repeat has an index of its own.',
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

/** The options of a command, as they are once read; `folder` is absolute then. */
export type CommandOptions = z.infer<typeof commandOptions>
