import { isDeepStrictEqual } from 'node:util'
import { frozen } from '../basics/plain-data.ts'
import { once } from '../basics/memoise.ts'
import { rangeOf, showsNoFraction } from '../basics/metrics.ts'
import { messageOf } from '../errors.ts'
import { checkScore } from '../run/scoring/score-lines.ts'
import type {
  Kind,
  Models,
  Score,
  Scorer,
  ScorerColumn,
  ScorerInput,
  ContextPassage,
  Reference,
  ScorerNeeds,
} from '../types.ts'
import {
  checksOf,
  firstFault,
  firstFaultOfEach,
  nameChecks,
  optionChecks,
  parsedOptions,
  type Check,
  type Fault,
  jsonFault,
  brief,
} from './check.ts'
import { usualModels, undeclared, watchedModels } from './fake-models.ts'

export interface ScorerCase {
  /** Options as a config has them. */
  readonly options?: unknown
  /** New models for every scoring, alike each time: offline ones, or `fakeModels` for tasks that have no `offline`. */
  readonly models?: () => Models | Promise<Models>
  /** Answers of your own to score, besides those that every scorer is given. */
  readonly asked?: readonly ScorerInput[]
}

const kinds: readonly Kind[] = ['choice', 'answer', 'summary', 'turn']

/**
 * What every scorer promises, as a list of checks that any test framework can run: numbers within their range for every
 * answer, or why not, the same each time. `for (const { name, run } of scorerChecks(mine)) test(name, run)`
 */
export function scorerChecks(
  scorer: Scorer,
  { options: given = {}, models = usualModels, asked = [] }: ScorerCase = {},
): readonly Check[] {
  const check = checksOf(`scorer "${scorer.name}"`)
  const described = [
    ...nameChecks(check, scorer),
    check('says after whom it scores', () =>
      typeof scorer.source === 'string' && scorer.source !== ''
        ? undefined
        : 'has no source; expected the paper or script that defines its numbers, or "own"',
    ),
    check('has a version', () =>
      Number.isInteger(scorer.version) && scorer.version >= 1
        ? undefined
        : `the version is ${brief(scorer.version)}; expected a whole number from 1, raised when its numbers change`,
    ),
    check('says which kinds of questions it scores', () => kindsFault(scorer.kinds)),
    ...optionChecks(check, scorer.options, given),
  ]
  const parsed = parsedOptions(scorer.options, given)
  if (!parsed || kindsFault(scorer.kinds) !== undefined) return described
  const { options } = parsed
  const columns = typeof scorer.columns === 'function' ? scorer.columns(options) : scorer.columns
  const asking = { tasks: new Set<string>(), embedded: new Set<string>() }
  const score = async (one: ScorerInput, own = options): Promise<Score> =>
    scorer.score(one, watchedModels(await models(), asking), own)
  const others = neededBy(scorer.needs?.(options))
  // copies, so that a scorer that changes what it is given spoils no other scorer's checks
  const inputs = [...scorer.kinds.flatMap(inputsOfKind), ...asked].map((one) => structuredClone({ ...others, ...one }))
  const observed = once(() => observe(inputs, score))
  const scores = async (): Promise<readonly Observed[]> =>
    (await observed()).scored.filter((one) => formFault(one) === undefined)
  return [
    ...described,
    check('says which columns a table shows', () => columnsFault(columns) ?? unitFault(columns, scorer.ranges)),
    check('scores every answer or says why not', async () => {
      const { failures, scored } = await observed()
      return failures[0] ?? firstFault(scored, formFault)
    }),
    check('gives numbers within their range', async () =>
      firstFault(await scores(), (one) => refusedFault(scorer, one)),
    ),
    check('fills the columns that it shows', async () => {
      const metrics = new Set(
        (await scores()).flatMap(({ score: one }) => ('metrics' in one ? Object.keys(one.metrics) : [])),
      )
      const shown = columnsFault(columns) === undefined ? columns : []
      const missing = shown.find(({ metric, shown: isShown }) => isShown !== false && !metrics.has(metric))
      return missing && `shows the column "${missing.metric}", which no score fills; it gave ${listed([...metrics])}`
    }),
    check('gives the same twice', async () => {
      for (const { input, score: first, where } of await scores()) {
        const second = await score(input)
        if (!isDeepStrictEqual(first, second))
          return `gave ${brief(first)}, then ${brief(second)} ${where}; expected the same: take chance from models.random()`
      }
      return undefined
    }),
    check('leaves what it is given as it was', async () =>
      firstFaultOfEach(await scores(), async ({ input, where }) => {
        const fault = await changeFault(input, options, score)
        return fault && `${fault} ${where}; expected a copy to be changed`
      }),
    ),
    check('runs only tasks that it declares', () => observed().then(() => undeclared(asking.tasks, scorer.tasks))),
  ]
}

function kindsFault(given: unknown): Fault {
  const expected = `expected a list of ${listed(kinds)}`
  if (!Array.isArray(given) || given.length === 0) return `has no kinds of questions that it scores; ${expected}`
  const other: unknown = given.find((kind) => !kinds.includes(kind as Kind))
  return other === undefined ? undefined : `the kind ${brief(other)} is none; ${expected}`
}

function columnsFault(given: unknown): Fault {
  const fits =
    Array.isArray(given) &&
    given.length > 0 &&
    given.every((one) => typeof (one as { metric?: unknown } | null)?.metric === 'string')
  return fits ? undefined : `the columns are ${brief(given)}; expected what a table shows of it: [{ metric: "…" }]`
}

/** A fraction is shown in percent; what lies beyond -1 to 1 is not one. */
function unitFault(columns: readonly ScorerColumn[], ranges: Scorer['ranges']): Fault {
  const wrong = columns.find((column) => showsNoFraction(column, ranges))
  if (!wrong) return undefined
  const { metric } = wrong
  const [least, greatest] = rangeOf(metric, ranges)
  return `the column "${metric}" may lie between ${least} and ${greatest}; expected { metric: "${metric}", unit: "number" }`
}

interface Observed {
  readonly input: ScorerInput
  readonly score: Score
  readonly where: string
}

async function observe(
  inputs: readonly ScorerInput[],
  score: (input: ScorerInput) => Promise<Score>,
): Promise<{ readonly scored: readonly Observed[]; readonly failures: readonly string[] }> {
  const [scored, failures]: [Observed[], string[]] = [[], []]
  for (const input of inputs) {
    const where = `(answer ${brief(input.answer.text)}, kind "${input.question.reference.kind}", ${input.context.length} passages)`
    try {
      scored.push({ input, where, score: await score(input) })
    } catch (error) {
      failures.push(`score failed ${where}: ${messageOf(error)}`)
    }
  }
  return { scored, failures }
}

function formFault({ score, where }: Observed): Fault {
  const given: unknown = score
  if (given === null || typeof given !== 'object')
    return `gave ${brief(given)} ${where}; expected { metrics } or { skipped }`
  const { skipped, metrics, parts } = given as { skipped?: unknown; metrics?: unknown; parts?: unknown }
  if (skipped !== undefined)
    return typeof skipped === 'string' && skipped !== ''
      ? undefined
      : `skipped is ${brief(skipped)} ${where}; expected why`
  if (metrics === null || typeof metrics !== 'object')
    return `gave ${brief(given)} ${where}; expected { metrics } or { skipped }`
  const fault = parts === undefined ? undefined : jsonFault(parts, 'parts')
  return fault && `${fault} ${where}; expected what JSON can hold`
}

/** What a run would refuse: a metric that is no number or outside its range, subsets that are no texts. */
function refusedFault(scorer: Scorer, { score, where }: Observed): Fault {
  try {
    checkScore(score, { label: 'score()', scorer })
    return undefined
  } catch (error) {
    return `${messageOf(error)} ${where}`
  }
}

/** Scores a frozen input, which throws when written to, and a copy, which is compared. */
async function changeFault(
  input: ScorerInput,
  options: unknown,
  score: (input: ScorerInput, options: unknown) => Promise<Score>,
): Promise<Fault> {
  try {
    await score(frozen(structuredClone(input)), frozen(structuredClone(options)))
  } catch (error) {
    return `changes what it is given: ${messageOf(error)}`
  }
  const given = { input: structuredClone(input), options: structuredClone(options) }
  await score(given.input, given.options)
  return isDeepStrictEqual(given, { input, options }) ? undefined : 'changes what it is given'
}

const listed = (words: readonly string[]): string => words.map((word) => `"${word}"`).join(', ') || 'nothing'

/** Answers good, bad, empty, canned and in no known letters, with contexts full, odd and empty. */
function inputsOfKind(kind: Kind): ScorerInput[] {
  const [evidence, relevant] = [[{ documentId: 'cats', text: 'Cats purr.' }], ['cats:0']]
  const supports = [{ evidence, relevant }, { evidence: [], relevant: [] }, {}]
  return references[kind].flatMap((reference) =>
    supports.flatMap(({ evidence, relevant }) =>
      contexts.flatMap((context) =>
        answers.map((answer) => ({
          question: { id: 'q', text: 'Who purrs?', reference, ...(evidence && { evidence }) },
          context,
          answer,
          ...(relevant && { relevant }),
        })),
      ),
    ),
  )
}

/** What a run gives of other trials to a scorer: opponents with an answer, a fixed one, and none. */
export const neededBy = ({ references: wanted, opponents, outcome }: ScorerNeeds = {}): Pick<
  ScorerInput,
  'references' | 'opponents' | 'outcome'
> => ({
  ...(outcome && {
    outcome: {
      scores: [{ scorer: 'accuracy', value: 0 }],
      oracle: { scores: [{ scorer: 'accuracy', value: 1 }], answer: 'Cats purr.' },
      evidence: [{ context: 'none' as const, ranking: 'whole' as const }],
      deep: true,
    },
  }),
  ...(wanted && { references: ['Cats purr.', 'Dogs bark.', ''] }),
  ...(opponents && {
    opponents: [
      { row: 'a', answer: { text: 'Cats purr, and dogs do not.', choice: 0 } },
      { row: 'b', answer: { text: 'Unanswerable', choice: null, canned: true } },
      { row: 'c' },
    ],
  }),
})

const references: Readonly<Record<Kind, readonly Reference[]>> = {
  choice: [{ kind: 'choice', options: ['cats', 'dogs', 'the', 'both'], correct: 0 }],
  answer: [
    {
      kind: 'answer',
      accepted: [
        { text: 'Cats', type: 'extractive', evidence: [{ documentId: 'cats', text: 'Cats purr.' }] },
        { text: 'cats, and kittens', type: 'abstractive', evidence: [] },
      ],
    },
    { kind: 'answer', accepted: [{ text: 'Unanswerable', type: 'unanswerable' }] },
    { kind: 'answer', accepted: [{ text: 'the' }] },
    { kind: 'answer', accepted: [] },
  ],
  summary: [
    { kind: 'summary', accepted: ['Cats purr.\nDogs bark.', ''] },
    { kind: 'summary', accepted: [] },
  ],
  turn: [{ kind: 'turn', accepted: 'Cats do.' }],
}

const answers: readonly ScorerInput['answer'][] = [
  { text: 'Cats', choice: 0 },
  { text: 'dogs', choice: 1 },
  { text: '', choice: null },
  { text: 'Unanswerable', choice: null, canned: true },
  { text: '猫 \u0301\u0000 🐈 ...', choice: null },
]

const chunk: ContextPassage = {
  text: 'Cats purr.',
  score: 0.5,
  from: ['cats:0'],
  kind: 'chunk',
  tokens: 3,
  documents: ['cats'],
  spans: [{ documentId: 'cats', start: 0, end: 10 }],
  evidence: [0],
}

const contexts: readonly (readonly ContextPassage[])[] = [
  [chunk, { ...chunk, from: ['dogs:0'], documents: ['dogs'], evidence: [] }],
  [
    { ...chunk, kind: 'summary', from: ['cats:0', 'dogs:0'], documents: ['cats', 'dogs'], derived: true, score: -1 },
    { ...chunk, kind: 'facts', from: [], documents: [], evidence: [] },
    chunk,
    chunk,
  ],
  [],
]
