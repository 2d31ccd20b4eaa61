import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'

/**
 * Values whose name is still a participle or a pronoun, with the number of declarations. A name that is not here is
 * refused, and a number that has fallen is lowered: the list only gets shorter. Names of fields on disk and of
 * exported types stay.
 */
const remainingNames: Readonly<Record<string, number>> = {
  _notAsked: 1,
  _varied: 1,
  accepted: 3,
  asked: 3,
  attemptsEach: 1,
  beyond: 2,
  bounded: 1,
  brought: 1,
  built: 1,
  canned: 2,
  capped: 7,
  checked: 2,
  chiSquared: 2,
  closed: 1,
  converged: 7,
  corrected: 2,
  covered: 1,
  crossed: 1,
  delimited: 1,
  derived: 4,
  directed: 3,
  dropped: 1,
  embedded: 2,
  estimated: 4,
  expected: 1,
  finished: 1,
  found: 2,
  grounded: 2,
  halved: 1,
  judged: 1,
  kept: 2,
  labelled: 6,
  made: 5,
  malformed: 3,
  needed: 6,
  nested: 1,
  observed: 2,
  ours: 4,
  own: 2,
  pAdjusted: 13,
  prepared: 12,
  ranked: 3,
  recorded: 2,
  repeated: 1,
  required: 1,
  said: 1,
  same: 1,
  shown: 3,
  stopped: 8,
  strictlyBelowOne: 1,
  thought: 1,
  unembedded: 3,
  unfinished: 1,
  unfitted: 1,
  ungrounded: 6,
  unlabelled: 2,
  unrounded: 1,
  unscored: 2,
  unused: 1,
  varied: 16,
  what: 2,
  whole: 1,
  withShared: 1,
}

/**
 * Terms for which the field has a standard one, with the lines that still have them: the names of files and fields on
 * disk.
 */
const privateTerms: readonly { term: RegExp; standard: string; lines?: number }[] = [
  { term: /\bmenus\b|menuOf|\bMenu\b/, standard: 'registry' },
  { term: /\bluck\b|\blucky\b|[a-z]Luck/i, standard: 'between-index variance', lines: 11 },
  { term: /\bdrew\b/, standard: 'isStochastic, usesRandomness' },
  { term: /survey/i, standard: 'dataset statistics' },
  { term: /performer|takePart|take-part/i, standard: 'executor, worker' },
  { term: /\blent\b|\bslip\b|lentModels/, standard: 'scoped client' },
  { term: /first trials|first replies/, standard: 'circuit breaker' },
  { term: /kept calls|keptCalls|cassette/, standard: 'cached responses' },
  { term: /used calls|usedCalls/, standard: 'recorded responses' },
  { term: /\bspent\b|spending/i, standard: 'usage, cost, budget' },
  { term: /whatever the budget/, standard: 'exempt from the budget' },
  { term: /headroom/, standard: 'gap to oracle', lines: 1 },
  { term: /\bshelf\b/, standard: 'reference data' },
  { term: /edge values|\bbad records?\b/, standard: 'malformed record' },
  { term: /begun folder|own-folder/, standard: 'output directory' },
  { term: /surelyFits|surely fits|\bconforms?\b/, standard: 'validates' },
  { term: /stranger|\bforeign\b|of someone else/, standard: 'plug-in, external' },
  { term: /tells? apart|be told\b|earns? a letter|earned a letter/, standard: 'indistinguishable, significant' },
  { term: /\bof which none\b|\bis none of\b|It is told/, standard: 'plain statements' },
  { term: /read to (its|their|the) end/, standard: 'truncated inputs' },
  { term: /(notes|table|cell|plan)-words\.ts'/, standard: 'messages' },
]

const participlesAndPronouns = new Set(
  `found known asked own said told made wanted others other one ones kept shown named given drawn taken left written sent seen
  held spent begun done gone none both each it that this these those them they some any such same another every what which who
  theirs ours sought built chosen meant got stood lent lost met paid sold taught thought thrown broken brought caught driven
  forgotten grown heard hung laid lain stuck understood whole beyond somebody nobody nothing something everything anything`.split(
    /\s+/,
  ),
)
const nounsAndCounts = new Set(['embed', 'seed', 'feed', 'speed', 'failed', 'cached', 'skipped', 'hundred', 'need'])
const booleanPrefixes = new Set(
  'is has are was were can should must may will does did needs uses had not only'.split(' '),
)

const root = import.meta.dirname
const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.includes('test-support'))
  .map((name) => ({ name, text: readFileSync(join(root, name), 'utf8') }))

test('values are named by nouns: the names that are participles or pronouns only get fewer', () => {
  const counts: Record<string, number> = {}
  for (const { name, text } of sources) {
    for (const declared of declaredNames(ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true))) {
      if (isParticipleOrPronoun(declared)) counts[declared] = (counts[declared] ?? 0) + 1
    }
  }
  const sorted = Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)))
  expect(sorted).toEqual(remainingNames)
})

test.each(privateTerms)('says "$standard" where it said $term', ({ term, lines = 0 }) => {
  const matches = sources.flatMap(({ name, text }) =>
    text.split('\n').flatMap((line, index) => (term.test(line) ? [`${name}:${String(index + 1)} ${line.trim()}`] : [])),
  )
  expect(matches.length, matches.join('\n')).toBe(lines)
})

/** Names of variables, parameters, destructured values and fields of types that a file declares. */
function declaredNames(file: ts.SourceFile): string[] {
  const names: string[] = []
  const visit = (node: ts.Node): void => {
    const isValue =
      ts.isVariableDeclaration(node) ||
      ts.isParameter(node) ||
      ts.isBindingElement(node) ||
      ts.isPropertySignature(node) ||
      ts.isPropertyDeclaration(node)
    if (isValue && ts.isIdentifier(node.name)) names.push(node.name.text)
    ts.forEachChild(node, visit)
  }
  visit(file)
  return names
}

/**
 * True of `found` and `rowsAsked`; false of `askedRows`, where it is an adjective, and of `isFound`, which is a
 * predicate.
 */
function isParticipleOrPronoun(name: string): boolean {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[ _]+/)
  const last = words.at(-1) ?? ''
  const isParticiple = last.length > 3 && last.endsWith('ed') && !nounsAndCounts.has(last)
  if (words.length > 1 && booleanPrefixes.has(words[0] ?? '')) return false
  return participlesAndPronouns.has(last) || isParticiple
}
