import { Option, type Command } from 'commander'
import { examples } from '../flags.ts'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { messageOf, UserError } from '../../errors.ts'
import { plural } from '../../text/amounts.ts'
import { notesOnEnglishProviders } from '../../text/language.ts'
import { lookAtFolder } from '../../run/index.ts'
import { defaultConfig } from '../plan.ts'
import { plain } from '../../text/characters.ts'
import { trustOwnConfig } from '../trust.ts'
import { print } from '../terminal/print.ts'
import { newQuestions, writeConfig } from './init-config.ts'
import { writePlugIn } from './init-plug-in.ts'
import { plugInKinds, type NewKind } from './plug-in-templates.ts'

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

/** `gembench init`: writes a config and a file of questions for a folder; repeated, it updates the config. */
async function initCommand(folder: string): Promise<void> {
  const contents = await lookAtFolder(folder, '.')
  const { use, files, leftOut, questions, textless, refusals = [], language } = contents
  if (use === 'beir') print(`${plain(folder)}: a collection in the layout of BEIR`)
  else {
    const count = Object.values(files).reduce((sum, number) => sum + number, 0)
    const kinds = Object.entries(files).map(([format, number]) => `${format} ${number}`)
    const rest = Object.entries(leftOut).map(([reason, number]) => `${reason} ${number}`)
    print(
      plain(
        `${folder}: ${plural(count, 'file')} of documents (${kinds.join(', ')})${rest.length > 0 ? `; left out: ${rest.join(', ')}` : ''}`,
      ),
    )
  }
  for (const line of refusals) print(plain(`not read: ${line}`))
  if (textless !== undefined) print(plain(`to read it too: ${textless}`))
  for (const note of notesOnEnglishProviders(language, ['minilm', 'extractive'], 'documents'))
    print(plain(`note: ${note}`))
  const outcome = writeConfig(folder, contents)
  if (outcome !== 'kept') trustOwnConfig(defaultConfig)
  print(
    outcome === 'kept'
      ? `kept ${defaultConfig}: you have edited it; to start anew, move it`
      : `${outcome} ${defaultConfig}`,
  )
  if (use === 'files' && questions === undefined) {
    await writeQuestions()
    print(
      `wrote ${newQuestions}: one row per question; only "question" is required, "evidence" is quoted from a document`,
    )
    print('or let the model of the config draft them: gembench questions --count 20')
  } else if (questions !== undefined) print(plain(`questions: ${questions}`))
  print('Next    gembench validate, then gembench run')
}

async function writeQuestions(): Promise<void> {
  if (existsSync(newQuestions)) return
  await writeFile(newQuestions, 'question,answer,evidence\n', { flag: 'wx' }).catch((error: unknown) => {
    throw new UserError(`${newQuestions}: cannot be written (${messageOf(error)})`, { cause: error })
  })
}
