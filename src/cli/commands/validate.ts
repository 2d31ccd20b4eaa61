import type { Command } from 'commander'
import { examples, withPlan } from '../flags.ts'
import { isDeepStrictEqual } from 'node:util'
import { rowName, variantOf } from '../../text/names.ts'
import { mask } from '../../basics/secrets.ts'
import type { Plan } from '../../config/index.ts'
import { plural, listing } from '../../text/amounts.ts'
import {
  type Asking,
  noteOnBudget,
  noteOnReferences,
  notesOnLanguage,
  prepare,
  type Prepared,
  type Settings,
  neededServers,
  tryModels,
  type Finding,
  type ModelFindings,
  type TryRequest,
} from '../../run/index.ts'
import { plansOf, settingsOf } from '../plan.ts'
import { print, printJson, printNotice } from '../terminal/print.ts'
import { plain } from '../../text/characters.ts'
import { languageName } from '../../text/language.ts'
import { exitCodes, interruptible } from '../ending.ts'
import type { RunFlags } from './run.ts'
import pc from 'picocolors'
import { messageOf, UserError } from '../../errors.ts'

interface ValidateFlags extends RunFlags {
  readonly models: boolean
}

export const setUp = (command: Command): Command =>
  withPlan(command)
    .option(
      '--models',
      'also call every model of the config once for each task that the rows and scorers ask, and say what its server takes (schema, system role, token field), how long a vector is and whether long texts are cut; the call cache is not used',
      false,
    )
    .option('--json', 'print the resolved config as JSON', false)
    .action(validateCommand)
    .addHelpText(
      'after',
      examples('gembench validate -c configs/quickstart.yaml', 'gembench validate -c gembench.yaml --models'),
    )

/** `gembench validate`: reads config and dataset and opens the models; only `--models` asks them anything. */
async function validateCommand(flags: ValidateFlags): Promise<void> {
  const plans = await plansOf(flags)
  const signal = flags.models ? interruptible() : new AbortController().signal
  const settings = settingsOf({ ...flags, cache: false }, signal)
  const found: Validated[] = []
  for (const plan of plans) {
    const one = await validate(plan, settings)
    found.push(one)
    if (!flags.json) report(one)
    for (const note of one.notes) printNotice(`note: ${plain(note)}`)
  }
  const typed = new Set(plans.flatMap((plan) => typedKeys(plan.record)))
  if (typed.size > 0)
    printNotice(
      `note: a key stands in the config itself (${[...typed].join(', ')}); it belongs in the environment or in .env, and its name in the config: apiKey: '\${OPENAI_API_KEY}'`,
    )
  const trials = found.reduce((sum, one) => sum + one.trials, 0)
  const servers = flags.models ? await tryServers(found, !flags.json) : []
  const tried = flags.models ? await tryModels(found, settings, announce) : undefined
  if (tried && !flags.json) printTried(tried)
  if (tried?.some(isLacking) || servers.some(({ works }) => works === 'no')) process.exitCode = exitCodes.incomplete
  const models = tried && { models: tried, ...(servers.length > 0 && { servers }) }
  const [only, ...others] = found
  if (flags.json)
    printJson(
      only && others.length === 0
        ? { ...documentOf(only), ...models }
        : { runs: found.map(documentOf), trials, ...models },
    )
  else if (others.length > 0) print(`${plural(found.length, 'run')} behind one table: ${plural(trials, 'trial')}`)
}

interface Validated extends Asking, Pick<Prepared, 'hash' | 'dataset'> {
  readonly trials: number
  /** What must be known before the run, a line each. */
  readonly notes: readonly string[]
}

async function validate(plan: Plan, settings: Settings): Promise<Validated> {
  const prepared = await prepare(plan, settings)
  const { statistics, methods, scorers, hash, dataset } = prepared
  try {
    const notes = [
      ...statistics.notes,
      ...notesOnLanguage(prepared),
      noteOnBudget(prepared),
      noteOnReferences(statistics),
    ]
    return {
      plan,
      statistics,
      methods,
      scorers,
      hash,
      dataset,
      notes: notes.flatMap((note) => note ?? []),
      trials: statistics.questions * methods.length * plan.repeats,
    }
  } finally {
    await prepared.close()
  }
}

const documentOf = ({ hash, trials, plan: { variedValues: varied, record } }: Validated) => ({
  hash,
  ...(varied.length > 0 && { varied }),
  trials,
  config: record,
})

function report({ plan, hash, methods, statistics, dataset, trials }: Validated): void {
  const { name, repeats, variedValues: varied } = plan
  print(
    plain(
      `valid: ${rowName({ method: `${name}-${hash}`, variant: variantOf(varied) })}: ${plural(methods.length, 'method')} x ${plural(statistics.questions, 'question')}${repeats > 1 ? ` x ${repeats} repeats` : ''} = ${plural(trials, 'trial')}`,
    ),
  )
  const { corpora, documents, questions, language, synthetic, leftOut } = statistics
  const left = Object.entries(leftOut).map(([what, count]) => `${what} ${count}`)
  print(
    plain(
      `${dataset.name}: ${plural(documents, 'document')}${corpora > 1 ? ` in ${corpora} corpora` : ''}, ${plural(questions, 'question')}${language === undefined ? '' : ` in ${languageName(language)}`}${synthetic ? ` (${synthetic.questions} synthetic)` : ''}${left.length > 0 ? `; left out: ${left.join(', ')}` : ''}`,
    ),
  )
}

/** The options of models that hold a key itself, not the name of a variable of the environment. */
function typedKeys({ models }: Plan['record']): readonly string[] {
  const typed = Object.entries(models as Readonly<Record<string, { readonly apiKey?: unknown }>>).filter(
    ([, { apiKey }]) => apiKey === mask,
  )
  // without a judge of its own, the one that completes judges
  const own = typed.filter(([role, model]) => role !== 'judge' || !isDeepStrictEqual(model, typed[0]?.[1]))
  return own.map(([role]) => `models.${role}.apiKey`)
}

/** A server beside the models, the rows that need it, and whether it can be used. */
interface TriedServer extends Finding {
  readonly rows: readonly string[]
}

/** Tries the servers that rows need, and prints a line for each where `prints`. */
async function tryServers(runs: readonly Asking[], prints: boolean): Promise<readonly TriedServer[]> {
  const tried = new Map<string, TriedServer>()
  for (const { row, reach } of neededServers(runs.flatMap(({ methods }) => methods))) {
    const { works, said } = await reach().then(
      (said) => ({ works: 'yes', said }) as const,
      (error: unknown) => {
        if (!(error instanceof UserError)) throw error
        return { works: 'no', said: messageOf(error) } as const
      },
    )
    if (said === undefined) continue
    const rows = [...new Set([...(tried.get(said)?.rows ?? []), row])]
    tried.set(said, { rows, what: 'store', works, said })
  }
  for (const finding of prints ? tried.values() : []) {
    print(`\n${pc.bold(plain(listing(finding.rows)))}`)
    printFinding(finding)
  }
  return [...tried.values()]
}

/** Whether a run that needs something of a model would fail. */
const isLacking = ({ findings }: ModelFindings): boolean => findings.some(({ works }) => works === 'no')

/** Says before a model is tried how many calls that takes. */
function announce({ roles, tasks }: TryRequest): void {
  printNotice(`${nameOf(roles)}: ${plural(Math.max(1, tasks.length), 'call')}`)
}

const nameOf = (roles: TryRequest['roles']): string => roles.map((role) => `models.${role}`).join(' and ')

const marks = { yes: '+', but: '~', no: '-' } as const

function printTried(tried: readonly ModelFindings[]): void {
  for (const { roles, provider, model, baseUrl, findings } of tried) {
    const where = baseUrl === undefined ? '' : ` at ${baseUrl}`
    print(`\n${pc.bold(plain(nameOf(roles)))}  ${plain(`${provider} "${model}"${where}`)}`)
    findings.forEach(printFinding)
  }
  print(
    `\n${pc.dim(`${marks.yes} works, ${marks.but} works otherwise or is to be known, ${marks.no} does not work as the config has it`)}`,
  )
}

const printFinding = ({ what, works, said }: Finding): void => print(plain(`  ${marks[works]} ${what}: ${said}`))
