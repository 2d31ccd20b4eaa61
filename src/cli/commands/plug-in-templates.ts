import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageFolder } from '../../basics/files.ts'

/** The example in the documentation of each kind of plug-in, by its name, and its check. */
const examples = {
  method: { file: 'examples/shared-words.js', name: 'shared-words', check: 'testMethod' },
  scorer: { file: 'configs/PLUG-INS.md', name: 'contains-reference', check: 'testScorer' },
  dataset: { file: 'configs/PLUG-INS.md', name: 'my-json', check: 'testDataset' },
  provider: { file: 'configs/PLUG-INS.md', name: 'echo', check: 'testModel' },
} as const

export type NewKind = keyof typeof examples

/** The kinds of plug-ins that `gembench init --new` writes. */
export const plugInKinds = Object.keys(examples)

/** The files of a new plug-in: an example under its name, a test, and for a dataset a copy to read. */
export function plugInFiles(kind: NewKind, name: string): Readonly<Record<string, string>> {
  const { file, name: exampleName, check } = examples[kind]
  const text = readFileSync(join(packageFolder, file), 'utf8')
  const blocks = [text, ...text.split('```ts\n').map((block) => block.slice(0, block.indexOf('```\n')))]
  const source = blocks.findLast((block) => block.includes(`name: '${exampleName}'`)) ?? ''
  const path = `new URL('./${name}.json', import.meta.url).pathname`
  const copy = kind === 'dataset' ? `, { path: ${path} }` : ''
  return {
    [`${name}.ts`]: source.replaceAll(exampleName, name),
    [`${name}.test.ts`]: `// node --import tsx --test ${name}.test.ts, or vitest
import { ${check} } from 'gembench/testing'
import plugIn from './${name}.ts'

${check}(plugIn${copy})
`,
    ...(kind === 'dataset' && { [`${name}.json`]: `${JSON.stringify(sample, null, 2)}\n` }),
  }
}

const sample = {
  documents: [{ id: 'mill', text: 'The mill was built by Ada in 1871.' }],
  questions: [
    {
      id: 'q1',
      text: 'Who built the mill?',
      answer: 'Ada',
      document: 'mill',
      evidence: 'built by Ada',
    },
  ],
}
