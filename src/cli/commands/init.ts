import { Option, type Command } from 'commander'
import { examples } from '../flags.ts'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { UserError } from '../../errors.ts'
import { plural } from '../../text/amounts.ts'
import { notesOnEnglishProviders } from '../../text/language.ts'
import { lookAtFolder } from '../../run/index.ts'
import { defaultConfig } from '../plan.ts'
import { plain } from '../../text/characters.ts'
import { trustOwnConfig } from '../trust.ts'
import { print } from '../terminal/print.ts'
import { newQuestions, writeConfig } from './init-config.ts'
import { plugInFiles, plugInKinds, type NewKind } from './plug-in-templates.ts'

export const setUp = (command: Command): Command =>
  command
    .argument('[folder]', 'folder of the documents (default: this one); with --new, the name of the plug-in')
    .addOption(
      new Option(
        '--new <kind>',
        'write a plug-in that passes `gembench check`, and its test, in place of a config',
      ).choices(plugInKinds),
    )
    .action((name: string | undefined, { new: kind }: { readonly new?: NewKind }) =>
      kind === undefined ? initCommand(name ?? '.') : writePlugIn(kind, name),
    )
    .addHelpText('after', examples('gembench init ./notes', 'gembench init --new method my-method'))

async function writePlugIn(kind: NewKind, name: string | undefined): Promise<void> {
  if (name === undefined || !/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) {
    const fault = name === undefined ? 'the name is missing' : `"${name}" is not a valid name`
    throw new UserError(`--new ${kind}: ${fault}; use small letters, digits and single hyphens, such as my-${kind}`)
  }
  const files = Object.entries(plugInFiles(kind, name))
  const existing = files.find(([file]) => existsSync(file))
  if (existing) throw new UserError(`${existing[0]}: exists and is not overwritten; give another name`)
  for (const [file, text] of files) {
    await writeFile(file, text, { flag: 'wx' })
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

async function initCommand(folder: string): Promise<void> {
  const contents = await lookAtFolder(folder, '.')
  const { use, files, leftOut, questions, refusals = [], language } = contents
  const total = Object.values(files).reduce((sum, count) => sum + count, 0)
  const rest = Object.keys(leftOut).length > 0 ? `; left out: ${numbersOf(leftOut)}` : ''
  const documents = `${plural(total, 'file')} of documents (${numbersOf(files)})${rest}`
  print(plain(`${folder}: ${use === 'beir' ? 'a collection in the layout of BEIR' : documents}`))
  for (const line of refusals) print(plain(`not read: ${line}`))
  for (const note of notesOnEnglishProviders(language, ['minilm', 'extractive'], 'documents'))
    print(plain(`note: ${note}`))
  const outcome = writeConfig(folder, contents)
  if (outcome !== 'kept') trustOwnConfig(defaultConfig)
  const keptNote = `kept ${defaultConfig}, since it was edited; move it to get a new one`
  print(outcome === 'kept' ? keptNote : `${outcome} ${defaultConfig}`)
  if (questions !== undefined) print(plain(`questions: ${questions}`))
  if (use === 'beir' || questions !== undefined) {
    print('Next: npx gembench run')
    return
  }
  if (!existsSync(newQuestions)) await writeFile(newQuestions, 'question,answer,evidence\n', { flag: 'wx' })
  print(`wrote ${newQuestions}: write a question per row; answer and evidence (copied from a document) are optional`)
  print('To let the language model of the config draft questions: npx gembench questions')
  print(`Next: fill ${newQuestions}, then npx gembench run`)
}

const numbersOf = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')
