import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { UserError } from '../../errors.ts'
import { byBytes } from '../shared/by-bytes.ts'

/** The folders of AcademicEval: what is to be written, and about how many thousand tokens there are to read; G: with papers of co-authors. */
export const settings = [
  'title_10K',
  'title_30K',
  'title_31K_G',
  'abs_9K',
  'abs_28K',
  'abs_29K_G',
  'intro_8K',
  'intro_28K',
  'intro_28K_G',
  'related_34K',
  'related_53K',
  'related_53K_G',
] as const

export type Setting = (typeof settings)[number]

/** The files of one setting, in byte order of their names. */
export interface Layout {
  readonly setting: Setting
  readonly files: readonly string[]
}

const isSetting = (name: string): name is Setting => (settings as readonly string[]).includes(name)

/**
 * The files with a paper each: the one that is named, or those of the folder whose names contain the split. A path that lies in the folder
 * of a setting is of that setting. Throws UserError naming the folder that is missing or holds none.
 */
export async function layoutOf(path: string, chosen: Setting, split: string): Promise<Layout> {
  const there = await stat(path).catch(() => undefined)
  if (!there)
    throw new UserError(`${path}: no such file or folder; expected folders such as abs_9K with a JSON file per paper`)
  const own = basename(there.isDirectory() ? path : dirname(path))
  const setting = isSetting(own) ? own : chosen
  if (!there.isDirectory()) return { setting, files: [path] }
  const folder = isSetting(own) ? path : join(path, setting)
  const names = await readdir(folder).catch(() => {
    throw new UserError(`${folder}: no such folder; expected one with a JSON file per paper`)
  })
  const files = names.filter((name) => name.includes(split) && name.endsWith('json')).sort(byBytes)
  if (files.length === 0)
    throw new UserError(
      `${folder}: contains no file whose name has "${split}" and ends in "json"; set the option "split"`,
    )
  return { setting, files: files.map((name) => join(folder, name)) }
}
