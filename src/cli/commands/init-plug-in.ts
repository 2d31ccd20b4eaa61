import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { messageOf, UserError } from '../../errors.ts'
import { print } from '../terminal/print.ts'
import { plugInFiles, type NewKind } from './plug-in-templates.ts'

/** `gembench init --new`: writes a plug-in that passes `gembench check`, and its test. Overwrites nothing. */
export async function writePlugIn(kind: NewKind, name: string | undefined): Promise<void> {
  if (name === undefined || !/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))
    throw new UserError(
      `--new ${kind}: ${name === undefined ? 'the name is missing' : `"${name}" is not a name of a plug-in`}; give small letters, digits and single hyphens: gembench init --new ${kind} my-${kind}`,
    )
  const files = Object.entries(plugInFiles(kind, name))
  const existing = files.find(([file]) => existsSync(file))
  if (existing) throw new UserError(`${existing[0]}: exists and is not overwritten; give another name`)
  for (const [file, text] of files) {
    await writeFile(file, text, { flag: 'wx' }).catch((error: unknown) => {
      throw new UserError(`${file}: cannot be written (${messageOf(error)})`, { cause: error })
    })
    print(`wrote ${file}`)
  }
  print(`Next: npx gembench check ${name}.ts${kind === 'dataset' ? ` --path ${name}.json` : ''}`)
  print(`Then in gembench.yaml: ${entryOf(name)[kind]}`)
}

/** The entry of a config that uses a plug-in. */
const entryOf = (name: string): Readonly<Record<NewKind, string>> => ({
  method: `methods: [bm25, ./${name}.ts]`,
  scorer: `scorers: [squad, ./${name}.ts]`,
  dataset: `dataset: { use: ./${name}.ts, path: ${name}.json }`,
  provider: `models: { complete: ./${name}.ts }`,
})
