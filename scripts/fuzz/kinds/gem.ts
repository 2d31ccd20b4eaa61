import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { queryCommand } from '../../../src/cli/commands/query.ts'
import { saveIndex } from '../../../src/run/index.ts'
import { tinyPlan, tinyProject, tinySettings } from '../../../src/test-support/tiny.ts'
import { refusal, said } from '../command.ts'
import { usual, type Kind } from '../kind.ts'
import { mutateJson, mutateText } from '../mutate.ts'

/** Exported indexes of GEM-RAG: an index that answers, or one line that says where what is wrong. */
const gem: Kind = {
  ...usual,
  name: 'gem',
  async open(folder) {
    const project = await tinyProject({ methods: [{ use: 'gem-rag', components: 1, questions: 2 }] })
    const saved = await saveIndex(await tinyPlan(project), {}, tinySettings(project, { cache: false }))
    const file = join(folder, 'graph.gem.json')
    await writeFile(file, JSON.stringify(saved))
    const whole = readFileSync(file, 'utf8')
    const flags = {
      set: ['models.embed=fake'],
      cache: false,
      cacheFolder: join(folder, 'cache'),
      graph: file,
      prompt: false,
      json: true,
    }
    const ask = () => said(() => queryCommand('Who built the mill?', flags))
    const oracle = await ask()
    if (oracle.code !== 0) throw new Error(`the whole index cannot be asked: ${oracle.text}`)
    return {
      make(random) {
        const bytes = random() < 0.3 ? mutateText(whole, random) : Buffer.from(mutateJson(saved, random))
        return { of: 'graph.gem.json', bytes }
      },
      async attempt({ bytes }) {
        await writeFile(file, bytes)
        const one = await ask()
        const same = () => withoutTime(one.text) === withoutTime(oracle.text)
        return refusal(one, file) ?? oddScores(one.text) ?? { outcome: same() ? 'same' : 'index' }
      },
    }
  },
}
export default gem

/** Numbers that are not finite are written as null. */
function oddScores(text: string): { readonly fault: string } | undefined {
  const { passages } = JSON.parse(text) as { passages: readonly { score: number | null }[] }
  return passages.some(({ score }) => score === null)
    ? { fault: 'a passage has a score that is not finite' }
    : undefined
}

const withoutTime = (text: string): string => text.replace(/"milliseconds": [\d.]+/g, '')
