import type { Command } from 'commander'
import { examples } from '../flags.ts'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { basename, relative, resolve, sep } from 'node:path'
import { messageOf, UserError } from '../../errors.ts'
import { plural } from '../../text/amounts.ts'
import { lookAtFolder, type FolderContents } from '../../run/index.ts'
import { readSettingsOf, defaultConfig } from '../plan.ts'
import { plain } from '../../text/characters.ts'
import { trustOwnConfig } from '../trust.ts'
import { print } from '../terminal/print.ts'

const newQuestions = 'questions.csv'

export const setUp = (command: Command): Command =>
  command
    .argument('[folder]', 'folder of the documents', '.')
    .action(initCommand)
    .addHelpText('after', examples('gembench init ./notes'))

/** `gembench init`: writes a config for a folder of documents, and a file of questions. Overwrites nothing. */
async function initCommand(folder: string): Promise<void> {
  if (existsSync(defaultConfig))
    throw new UserError(`${defaultConfig}: is here already and is not overwritten; remove it, or change it by hand`)
  const contents = await lookAtFolder(folder, '.')
  const { use, files, leftOut, questions, textless, refusals } = contents
  const leftOutParts = Object.entries(leftOut).map(([reason, count]) => `${reason} ${count}`)
  const count = Object.values(files).reduce((sum, number) => sum + number, 0)
  await write(defaultConfig, configText(folder, contents))
  if (use === 'beir') print(`${plain(folder)}: a collection in the layout of BEIR`)
  else {
    const kinds = Object.entries(files).map(([format, number]) => `${format} ${number}`)
    print(
      plain(
        `${folder}: ${plural(count, 'file')} of documents (${kinds.join(', ')})${leftOutParts.length > 0 ? `; left out: ${leftOutParts.join(', ')}` : ''}`,
      ),
    )
  }
  if (refusals)
    print(
      plain(
        `${plural(refusals.count, 'file')} cannot be read as ${refusals.count === 1 ? 'it is' : 'they are'}: ${refusals.first}`,
      ),
    )
  if (textless !== undefined) print(plain(`to read it too: ${textless}`))
  await trustOwnConfig(defaultConfig, readSettingsOf([]))
  print(`wrote ${defaultConfig}`)
  if (use === 'files' && questions === undefined) {
    await write(newQuestions, 'question,answer,evidence\n')
    print(
      `wrote ${newQuestions}: write a row for each question; only "question" must be filled, "evidence" is words copied from a document`,
    )
    print('or let the model of the config draft them: gembench questions --count 20')
  } else if (questions !== undefined) print(plain(`questions: ${questions}`))
  print('Next    gembench validate, then gembench run')
}

async function write(file: string, text: string): Promise<void> {
  await writeFile(file, text, { flag: 'wx' }).catch((error: unknown) => {
    throw new UserError(`${file}: cannot be written (${messageOf(error)})`, { cause: error })
  })
}

/** Bytes per token of English text, and the tokens of documents that fit into most windows. */
const [bytesOfToken, longPrompt] = [4, 100_000]

function configText(folder: string, { use, questions = newQuestions, bytes }: FolderContents): string {
  const tokens = Math.round(bytes / bytesOfToken / 1000) * 1000
  const name =
    basename(resolve(folder))
      .replace(/^[^A-Za-z0-9]+|[^\w.-]+/g, '')
      .slice(0, 80) || 'my-data'
  const dataset =
    use === 'beir'
      ? `{ use: beir, path: ${pathText(folder)} } # qrels/test.tsv; split: dev reads another`
      : `{ documents: ${pathText(folder)}, questions: ${pathText(questions)} }`
  return `# gembench run reads this file; all options: gembench ls datasets, gembench ls methods
name: ${name}
dataset: ${dataset}
chunks: { size: 100 } # tokens
budget: { passages: 5, tokens: 1000 } # the context of every answer
models:
  complete: extractive # no language model; for example: { use: openai, model: gpt-4o-mini, apiKey: '\${OPENAI_API_KEY}' }, with the key in .env
  embed: minilm
methods:
  - closed-book
  - bm25
  - vector
  - hybrid # bm25 and vector, by their ranks
  - { use: rerank, label: hybrid + rerank, of: hybrid, depth: 20 } # models.complete orders the first 20 of hybrid
  - parent # small windows are searched, their chunks are read
  ${tokens > longPrompt ? `# - full-context # all documents in every prompt: about ${tokens.toLocaleString('en-US')} tokens here` : '- full-context'}
  # - oracle # the evidence alone; where every question has evidence
${
  use === 'beir'
    ? 'scorers: [{ use: retrieval, unit: document, k: [5, 10] }]\n'
    : `# right is an answer that says what the reference says, by a judge; without a language model, one that contains it
# scorers: [squad, retrieval] # exact match and F1 in place of that; others: gembench ls scorers
# answers: sentence # always a sentence; without this line a short reference asks for a short answer
`
}`
}

/** A relative path in YAML; "${" is escaped, as it would name a variable. */
function pathText(path: string): string {
  const relativePath = relative('.', path).split(sep).join('/')
  const yamlPath =
    relativePath === ''
      ? '.'
      : relativePath.startsWith('..') || relativePath.startsWith('/')
        ? relativePath
        : `./${relativePath}`
  return /^[\w./-]+$/.test(yamlPath) ? yamlPath : JSON.stringify(yamlPath.replaceAll('${', () => '$${'))
}
