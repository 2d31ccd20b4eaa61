import type { Command } from 'commander'
import { examples, withPlan } from '../flags.ts'
import { isDeepStrictEqual } from 'node:util'
import { rowName, variantOf } from '../../text/names.ts'
import { mask, messageOf, UserError } from '../../errors.ts'
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

interface ValidateFlags extends RunFlags {
  readonly models: boolean
}

export const setUp = (command: Command): Command =>
  withPlan(command)
    .option(
      '--models',
      'also call every model once per task, and print what its server supports; the call cache is not used',
      false,
    )
    .option('--json', 'print the resolved config as JSON', false)
    .action(validateCommand)
    .addHelpText(
      'after',
      examples('gembench validate -c configs/quickstart.yaml', 'gembench validate -c gembench.yaml --models'),
    )

/** `gembench validate`: reads config and dataset and opens the models; only `--models` calls them. */
async function validateCommand(flags: ValidateFlags): Promise<void> {
  const plans = await plansOf(flags)
  const signal = flags.models ? interruptible() : new AbortController().signal
  const settings = settingsOf({ ...flags, cache: false }, signal)
  const validations: Validated[] = []
  for (const plan of plans) {
    const validation = await validate(plan, settings)
    validations.push(validation)
    if (!flags.json) {
      print(plain(messages.valid(validation)))
      print(plain(messages.dataset(validation)))
    }
    for (const note of validation.notes) printNotice(messages.note(note))
  }
  const literalKeys = new Set(plans.flatMap((plan) => typedKeys(plan.record)))
  if (literalKeys.size > 0) printNotice(messages.literalKeys([...literalKeys]))
  const trials = validations.reduce((sum, validation) => sum + validation.trials, 0)
  const servers = flags.models ? await tryServers(validations, !flags.json) : []
  const modelFindings = flags.models ? await tryModels(validations, settings, announce) : undefined
  if (modelFindings && !flags.json) printFindings(modelFindings)
  if (modelFindings?.some(isLacking) || servers.some(({ works }) => works === 'no'))
    process.exitCode = exitCodes.incomplete
  const models = modelFindings && { models: modelFindings, ...(servers.length > 0 && { servers }) }
  const [only, ...rest] = validations
  if (flags.json)
    printJson(
      only && rest.length === 0
        ? { ...documentOf(only), ...models }
        : { runs: validations.map(documentOf), trials, ...models },
    )
  else if (rest.length > 0) print(messages.total(validations.length, trials))
}

interface Validated extends Asking, Pick<Prepared, 'hash' | 'dataset'> {
  readonly trials: number
  /** Notes before the run, one line each. */
  readonly notes: readonly string[]
}

async function validate(plan: Plan, settings: Settings): Promise<Validated> {
  const setup = await prepare(plan, settings)
  const { statistics, methods, scorers, hash, dataset } = setup
  try {
    const notes = [...statistics.notes, ...notesOnLanguage(setup), noteOnBudget(setup), noteOnReferences(statistics)]
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
    await setup.close()
  }
}

const documentOf = ({ hash, trials, plan: { variedValues: varied, record } }: Validated) => ({
  hash,
  ...(varied.length > 0 && { varied }),
  trials,
  config: record,
})

/** The model options with a literal key in place of an environment variable. */
function typedKeys({ models }: Plan['record']): readonly string[] {
  const literals = Object.entries(models as Readonly<Record<string, { readonly apiKey?: unknown }>>).filter(
    ([, { apiKey }]) => apiKey === mask,
  )
  // without models.judge, models.complete judges
  const distinct = literals.filter(([role, model]) => role !== 'judge' || !isDeepStrictEqual(model, literals[0]?.[1]))
  return distinct.map(([role]) => `models.${role}.apiKey`)
}

/** A server other than the models, the rows that need it, and whether it works. */
interface TriedServer extends Finding {
  readonly rows: readonly string[]
}

/** Tests the servers that rows need; prints one line each if `prints`. */
async function tryServers(runs: readonly Asking[], prints: boolean): Promise<readonly TriedServer[]> {
  const servers = new Map<string, TriedServer>()
  for (const { row, reach } of neededServers(runs.flatMap(({ methods }) => methods))) {
    const { works, said } = await reach().then(
      (detail) => ({ works: 'yes', said: detail }) as const,
      (error: unknown) => {
        if (!(error instanceof UserError)) throw error
        return { works: 'no', said: messageOf(error) } as const
      },
    )
    if (said === undefined) continue
    const rows = [...new Set([...(servers.get(said)?.rows ?? []), row])]
    servers.set(said, { rows, what: 'store', works, said })
  }
  for (const finding of prints ? servers.values() : []) {
    print(messages.rows(finding.rows))
    printFinding(finding)
  }
  return [...servers.values()]
}

/** Whether a run would fail for lack of an ability. */
const isLacking = ({ findings }: ModelFindings): boolean => findings.some(({ works }) => works === 'no')

/** Announces the number of calls before a model is tested. */
const announce = (request: TryRequest): void => printNotice(messages.calls(request))

function printFindings(models: readonly ModelFindings[]): void {
  for (const model of models) {
    print(messages.model(model))
    model.findings.forEach(printFinding)
  }
  print(messages.legend)
}

const printFinding = (finding: Finding): void => print(plain(messages.finding(finding)))

const nameOf = (roles: TryRequest['roles']): string => roles.map((role) => `models.${role}`).join(' and ')

const marks = { yes: '+', but: '~', no: '-' } as const

const messages = {
  valid: ({ plan: { name, repeats, variedValues: varied }, hash, methods, statistics, trials }: Validated) =>
    `valid: ${rowName({ method: `${name}-${hash}`, variant: variantOf(varied) })}: ${plural(methods.length, 'method')} x ${plural(statistics.questions, 'question')}${repeats > 1 ? ` x ${repeats} repeats` : ''} = ${plural(trials, 'trial')}`,
  dataset: ({ dataset, statistics }: Validated) => {
    const { corpora, documents, questions, language, synthetic, leftOut } = statistics
    const leftOutParts = Object.entries(leftOut).map(([reason, count]) => `${reason} ${count}`)
    return `${dataset.name}: ${plural(documents, 'document')}${corpora > 1 ? ` in ${corpora} corpora` : ''}, ${plural(questions, 'question')}${language === undefined ? '' : ` in ${languageName(language)}`}${synthetic ? ` (${synthetic.questions} synthetic)` : ''}${leftOutParts.length > 0 ? `; left out: ${leftOutParts.join(', ')}` : ''}`
  },
  note: (note: string) => `note: ${plain(note)}`,
  literalKeys: (names: readonly string[]) =>
    `note: the config contains a key (${names.join(', ')}). Move it to .env, and name it in the config: apiKey: '\${OPENAI_API_KEY}'`,
  total: (runs: number, trials: number) => `${plural(runs, 'run')} in one table: ${plural(trials, 'trial')}`,
  rows: (rows: readonly string[]) => `\n${pc.bold(plain(listing(rows)))}`,
  calls: ({ roles, tasks }: TryRequest) => `${nameOf(roles)}: ${plural(Math.max(1, tasks.length), 'call')}`,
  model: ({ roles, provider, model, baseUrl }: ModelFindings) =>
    `\n${pc.bold(plain(nameOf(roles)))}  ${plain(`${provider} "${model}"${baseUrl === undefined ? '' : ` at ${baseUrl}`}`)}`,
  legend: `\n${pc.dim(`${marks.yes} works   ${marks.but} works, with a remark   ${marks.no} does not work with this config`)}`,
  finding: ({ what, works, said: text }: Finding) => `  ${marks[works]} ${what}: ${text}`,
}
