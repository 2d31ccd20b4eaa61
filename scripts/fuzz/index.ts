/** `npm run fuzz [-- --kind NAME] [--mutants N] [--minutes M] [--seed N]`: tries damaged input of every kind. */
import { parseArgs } from 'node:util'
import { plural } from '../../src/text/amounts.ts'
import { corpusOf, keep } from './corpus.ts'
import { loadKind, kindNames } from './kind.ts'
import { failureLines, summaryLine, tryKind, type Failure } from './runner.ts'
const { values } = parseArgs({
  options: {
    kind: { type: 'string', multiple: true },
    mutants: { type: 'string' },
    minutes: { type: 'string' },
    seed: { type: 'string', default: '42' },
  },
})
const numberOf = (name: 'mutants' | 'minutes' | 'seed', is: RegExp, form: string): number | undefined => {
  const text = values[name]
  if (text === undefined) return undefined
  if (!is.test(text)) stop(`--${name}: expected ${form}, not "${text}"`)
  return Number(text)
}
function stop(message: string): never {
  process.stderr.write(`error ${message}\n`)
  process.exit(2)
}

const names = values.kind ?? kindNames
const unknown = names.find((name) => !kindNames.includes(name))
if (unknown !== undefined) stop(`no kind "${unknown}"; there are ${kindNames.join(', ')}`)
const seed = numberOf('seed', /^\d+$/, 'a whole number') ?? 42
const mutants = numberOf('mutants', /^0*[1-9]\d*$/, 'a whole number from 1')
const minutes = numberOf('minutes', /^(?=.*[1-9])\d+(\.\d+)?$/, 'a number above 0')
let [failed, inputs] = [0, 0]
for (const name of names) {
  const kind = await loadKind(name)
  const causes = new Set<string>()
  const onFailure = (failure: Failure): void => {
    const { first, lines } = failureLines(name, seed, failure, causes)
    if (!first) return
    const copies = failure.number === undefined ? 'in the corpus' : `kept as ${keep(name, failure)}`
    process.stdout.write(`${lines}\n  ${copies}\n`)
  }
  const corpus = corpusOf(name)
  const end = minutes === undefined ? Infinity : performance.now() + (minutes * 60_000) / names.length
  const summary = await tryKind(kind, { corpus, seed, mutants: mutants ?? kind.mutants, end, onFailure })
  failed += summary.failures.length
  inputs += summary.mutants
  process.stdout.write(`${summaryLine(name, seed, corpus.length, summary)}\n`)
}
if (inputs === 0) stop('nothing was tried; give more --minutes')
process.stdout.write(failed === 0 ? 'no failure\n' : `${plural(failed, 'failure')}\n`)
process.exit(failed === 0 ? 0 : 1)
