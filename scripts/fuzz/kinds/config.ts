import { readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { readConfigs } from '../../../src/config/index.ts'
import { registries } from '../../../src/run/index.ts'
import { canonicalJson } from '../../../src/text/hash.ts'
import { capture, faultIn } from '../command.ts'
import { usual, type Kind } from '../kind.ts'
import { fuzzKey, mutateJson, mutateText, pick } from '../mutate.ts'

const configs = fileURLToPath(new URL('../../../configs', import.meta.url))

const rich = `name: rich
dataset: { use: sample, limit: 3 }
chunks: &cut { size: 100, overlap: 10, by: tokens }
budget: { passages: 5, tokens: 500 }
models:
  complete: { use: openai, model: m, apiKey: '\${FUZZ_KEY}', baseUrl: 'http://127.0.0.1:9/v1', headers: { x-team: '\${FUZZ_KEY}' } }
  embed: fake
scorers: [accuracy, { use: squad, label: em }]
methods:
  - { use: bm25, label: lucene, k1: 1.2 }
  - vector
  - { use: gem-rag, components: 3 }
vary:
  lucene.k1: [0.6, 0.9]
compare: { baseline: vector, margin: 0.05 }
repeats: 2
seed: 7
`

/** Config text to plans: a plan for each run, or lines that say where what is wrong. */
const config: Kind = {
  ...usual,
  name: 'config',
  async open(folder) {
    const names = readdirSync(configs).filter((name) => name.endsWith('.yaml'))
    const texts = [rich, rich, ...names.map((name) => readFileSync(join(configs, name), 'utf8'))]
    const settings = { cwd: folder, environment: { FUZZ_KEY: fuzzKey, OPENAI_API_KEY: fuzzKey } }
    const read = () => readConfigs(['fuzz.yaml'], settings, registries)
    await writeFile(join(folder, 'mine.ts'), 'export const mine = 1\n')
    return {
      make(random) {
        const text = pick(texts, random)
        const bytes = random() < 0.5 ? mutateText(text, random) : Buffer.from(mutateJson(parse(text), random))
        return { of: 'fuzz.yaml', bytes }
      },
      async attempt({ bytes }) {
        await writeFile(join(folder, 'fuzz.yaml'), bytes)
        let plans: readonly { readonly record: unknown }[] = []
        const item = await capture(async () => {
          plans = await read()
        })
        const fault = faultIn(item) ?? (item.code === 0 ? undefined : lineFault(item.text))
        if (fault !== undefined) return { fault }
        if (item.code !== 0) return { outcome: 'refused' }
        if (canonicalJson(plans.map(({ record }) => record)).includes(fuzzKey))
          return { fault: 'the key is in the record of the config' }
        return canonicalJson(plans) === canonicalJson(await read())
          ? { outcome: 'plan' }
          : { fault: 'another plan at the second reading' }
      },
    }
  },
}
export default config

/** What is no line with a place, though the file could be read. */
function lineFault(text: string): string | undefined {
  const placePattern = /^error (?:\S.*:\d+:\d+: \S|fuzz\.yaml: is (?:larger|not UTF-8)|… and \d+ more)/
  const odd = text
    .trimEnd()
    .split('\n')
    .find((line) => !placePattern.test(line))
  return odd === undefined ? undefined : `a line without a place: ${odd}`
}
