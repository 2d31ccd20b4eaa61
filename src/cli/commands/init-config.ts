import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, relative, resolve, sep } from 'node:path'
import type { FolderContents } from '../../run/index.ts'
import { hashOf } from '../../text/hash.ts'
import { languageName } from '../../text/language.ts'
import { defaultConfig } from '../plan.ts'

/** The file of questions that `gembench init` writes. */
export const newQuestions = 'questions.csv'

/** Writes the config of a folder, or updates one that nobody has edited since; says what it has done. */
export function writeConfig(folder: string, contents: FolderContents): 'wrote' | 'updated' | 'kept' {
  const text = configText(folder, contents)
  const before = existsSync(defaultConfig) ? readFileSync(defaultConfig, 'utf8') : undefined
  if (before !== undefined && !isUnedited(before)) return 'kept'
  writeFileSync(defaultConfig, `${headOf(text)}${text}`)
  return before === undefined ? 'wrote' : 'updated'
}

/** The first line of a config contains a checksum of the rest: an edited one does not match. */
const headOf = (text: string): string =>
  `# written by gembench init ${hashOf(text).slice(0, 8)}, which updates it until you edit it\n`

function isUnedited(config: string): boolean {
  const end = config.indexOf('\n') + 1
  return config.slice(0, end) === headOf(config.slice(end))
}

const bytesOfToken = 4
const longPrompt = 100_000

function configText(folder: string, contents: FolderContents): string {
  const { use, questions = newQuestions, bytes, language } = contents
  const tokens = Math.round(bytes / bytesOfToken / 1000) * 1000
  const tokenCount = tokens.toLocaleString('en-US')
  const dataset =
    use === 'beir'
      ? `{ use: beir, path: ${pathText(folder)} } # qrels/test.tsv; split: dev reads another`
      : `{ documents: ${pathText(folder)}, questions: ${pathText(questions)} }`
  const isEnglish = language === undefined || language === 'en'
  const bm25 = isEnglish ? 'bm25' : '{ use: bm25, analyser: plain }'
  const hybrid = isEnglish ? 'hybrid' : '{ use: hybrid, of: [{ use: bm25, analyser: plain }, vector] }'
  const { chunks, budget } = sizesFor(contents)
  return `# gembench run reads this file; all options: gembench ls datasets, gembench ls methods
name: ${nameOf(folder)}
dataset: ${dataset}
chunks: ${chunks}
budget: ${budget} # the context of every answer
models:
  # a language model: { use: openai, model: gpt-4o-mini, apiKey: '\${OPENAI_API_KEY}' }, with the key in .env
  complete: extractive # no language model: compare the columns of retrieval, not those of answers
  embed: minilm${isEnglish ? '' : ` # trained on English; name a model for ${languageName(language)}`}
methods:
  - closed-book
  - ${bm25}
  - vector
  - ${hybrid} # bm25 and vector, by their ranks
  - { use: rerank, label: hybrid + rerank, of: ${hybrid}, depth: 20 } # models.complete orders the first 20 of hybrid
  - parent # small windows are searched, their chunks are read
  ${tokens > longPrompt ? `# - full-context # all documents in every prompt: about ${tokenCount} tokens here` : '- full-context'}
  # - oracle # the evidence alone; where every question has evidence
${
  use === 'beir'
    ? 'scorers: [{ use: retrieval, unit: document, k: [5, 10] }]\n'
    : `# an answer is right if it says what the reference says, by a judge; without a language model, if it contains it
# scorers: [squad, retrieval] # exact match and F1 in place of that; others: gembench ls scorers
# answers: sentence # always a sentence; without this line a short reference asks for a short answer
`
}`
}

/** Sections of Markdown, HTML and Word in one chunk: 100 tokens would separate a table row from its header. */
function sizesFor({ use, files }: FolderContents): { readonly chunks: string; readonly budget: string } {
  if (use === 'files' && (files['md'] ?? files['html'] ?? files['docx']) !== undefined)
    return { chunks: '{ by: headings, size: 250 } # tokens', budget: '{ passages: 5, tokens: 1250 }' }
  if (use === 'files' && (files['pdf'] ?? files['csv']) !== undefined)
    return { chunks: '{ by: recursive, size: 250 } # tokens', budget: '{ passages: 5, tokens: 1250 }' }
  return { chunks: '{ size: 100 } # tokens', budget: '{ passages: 5, tokens: 1000 }' }
}

const nameOf = (folder: string): string =>
  basename(resolve(folder))
    .replace(/^[^A-Za-z0-9]+|[^\w.-]+/g, '')
    .slice(0, 80) || 'my-data'

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
