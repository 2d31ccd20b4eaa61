import { Option, type Command } from 'commander'
import { examples } from '../flags.ts'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { messageOf, UserError } from '../../errors.ts'
import { plural } from '../../text/amounts.ts'
import { notesOnEnglishProviders } from '../../text/language.ts'
import { lookAtFolder, type FolderContents } from '../../run/index.ts'
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

/** `gembench init --new`: writes a plug-in that passes `gembench check`, and its test. Overwrites nothing. */
async function writePlugIn(kind: NewKind, name: string | undefined): Promise<void> {
  if (name === undefined || !/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))
    throw new UserError(messages.badName(kind, name))
  const files = Object.entries(plugInFiles(kind, name))
  const existing = files.find(([file]) => existsSync(file))
  if (existing) throw new UserError(messages.existingFile(existing[0]))
  for (const [file, text] of files) {
    await writeNew(file, text)
    print(messages.wrote(file))
  }
  print(messages.checkNext(kind, name))
  print(messages.thenConfig(entryOf(name)[kind]))
}

/** The entry of a config that uses a plug-in. */
const entryOf = (name: string): Readonly<Record<NewKind, string>> => ({
  method: `methods: [bm25, ./${name}.ts]`,
  scorer: `scorers: [squad, ./${name}.ts]`,
  dataset: `dataset: { use: ./${name}.ts, path: ${name}.json }`,
  provider: `models: { complete: ./${name}.ts }`,
})

/** `gembench init`: writes a config and a file of questions for a folder; repeated, it updates the config. */
async function initCommand(folder: string): Promise<void> {
  const contents = await lookAtFolder(folder, '.')
  const { use, questions, textless, refusals = [], language } = contents
  print(plain(use === 'beir' ? messages.beirFolder(folder) : messages.documents(folder, contents)))
  for (const line of refusals) print(plain(messages.unread(line)))
  if (textless !== undefined) print(plain(messages.unread(textless)))
  for (const note of notesOnEnglishProviders(language, ['minilm', 'extractive'], 'documents'))
    print(plain(messages.note(note)))
  const outcome = writeConfig(folder, contents)
  if (outcome !== 'kept') trustOwnConfig(defaultConfig)
  print(outcome === 'kept' ? messages.editedConfig : messages.config(outcome))
  if (use === 'files' && questions === undefined) {
    if (!existsSync(newQuestions)) await writeNew(newQuestions, 'question,answer,evidence\n')
    print(messages.wroteQuestions)
    print(messages.draftQuestions)
  } else if (questions !== undefined) print(plain(messages.questions(questions)))
  print(use === 'files' && questions === undefined ? messages.fillNext : messages.runNext)
}

async function writeNew(file: string, text: string): Promise<void> {
  await writeFile(file, text, { flag: 'wx' }).catch((error: unknown) => {
    throw new UserError(messages.unwritableFile(file, error), { cause: error })
  })
}

const numbersOf = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')

const messages = {
  badName: (kind: NewKind, name: string | undefined) =>
    `--new ${kind}: ${name === undefined ? 'the name is missing' : `"${name}" is not a valid name`}; use small letters, digits and single hyphens, such as my-${kind}`,
  existingFile: (file: string) => `${file}: exists and is not overwritten; give another name`,
  wrote: (file: string) => `wrote ${file}`,
  checkNext: (kind: NewKind, name: string) =>
    `Next: npx gembench check ${name}.ts${kind === 'dataset' ? ` --path ${name}.json` : ''}`,
  thenConfig: (entry: string) => `Then in gembench.yaml: ${entry}`,
  beirFolder: (folder: string) => `${folder}: a collection in the layout of BEIR`,
  documents: (folder: string, { files, leftOut }: Pick<FolderContents, 'files' | 'leftOut'>) =>
    `${folder}: ${plural(
      Object.values(files).reduce((sum, count) => sum + count, 0),
      'file',
    )} of documents (${numbersOf(files)})${Object.keys(leftOut).length > 0 ? `; left out: ${numbersOf(leftOut)}` : ''}`,
  unread: (reason: string) => `not read: ${reason}`,
  note: (note: string) => `note: ${note}`,
  editedConfig: `kept ${defaultConfig}, since it was edited; move it to get a new one`,
  config: (change: string) => `${change} ${defaultConfig}`,
  wroteQuestions: `wrote ${newQuestions}: write a question per row; answer and evidence (copied from a document) are optional`,
  draftQuestions: 'To let the language model of the config draft questions: npx gembench questions',
  questions: (source: string) => `questions: ${source}`,
  fillNext: `Next: fill ${newQuestions}, then npx gembench run`,
  runNext: 'Next: npx gembench run',
  unwritableFile: (file: string, error: unknown) => `${file}: cannot be written (${messageOf(error)})`,
}
