import type { Command } from 'commander'
import { examples, withPlan } from '../flags.ts'
import { rowName, variantOf } from '../../text/names.ts'
import { mask } from '../../errors.ts'
import type { Plan } from '../../config/index.ts'
import { plural, present } from '../../text/amounts.ts'
import {
  type Asking,
  noteOnBudget,
  notesOnLanguage,
  prepare,
  type Prepared,
  type Settings,
  tryModels,
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

async function validateCommand(flags: ValidateFlags): Promise<void> {
  const { json } = flags
  const plans = await plansOf(flags)
  const signal = flags.models ? interruptible() : new AbortController().signal
  const settings = settingsOf({ ...flags, cache: false }, signal)
  const runs: Validated[] = []
  for (const plan of plans) {
    const run = await validate(plan, settings)
    runs.push(run)
    if (!json) printRun(run)
    for (const note of run.notes) printNotice(`note: ${plain(note)}`)
  }
  const literalKeys = [...new Set(plans.flatMap(literalKeysOf))].join(', ')
  if (literalKeys !== '')
    printNotice(
      `note: the config contains a key (${literalKeys}). Move it to .env, and name it in the config: apiKey: '\${OPENAI_API_KEY}'`,
    )
  const trials = runs.reduce((sum, run) => sum + run.trials, 0)
  const tries = flags.models ? await tryAll(runs, settings, !json) : {}
  const [only, ...rest] = runs
  if (!json && rest.length > 0) print(`${plural(runs.length, 'run')} in one table: ${plural(trials, 'trial')}`)
  if (json && only) {
    const isSingle = rest.length === 0
    const document = isSingle ? documentOf(only) : { runs: runs.map(documentOf), trials }
    printJson({ ...document, ...tries })
  }
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
    const notes = present(statistics.notes, notesOnLanguage(setup), noteOnBudget(setup))
    const trials = statistics.questions * methods.length * plan.repeats
    return { plan, statistics, methods, scorers, hash, dataset, notes, trials }
  } finally {
    await setup.close()
  }
}

function printRun({ plan, hash, methods, statistics, trials, dataset }: Validated): void {
  const { corpora, documents, questions, language, synthetic, leftOut } = statistics
  const name = rowName({ method: `${plan.name}-${hash}`, variant: variantOf(plan.variedValues) })
  const factors = present(
    plural(methods.length, 'method'),
    plural(questions, 'question'),
    plan.repeats > 1 && `${plan.repeats} repeats`,
  )
  print(plain(`valid: ${name}: ${factors.join(' x ')} = ${plural(trials, 'trial')}`))
  const documentCount = `${plural(documents, 'document')}${corpora > 1 ? ` in ${corpora} corpora` : ''}`
  const inLanguage = language === undefined ? '' : ` in ${languageName(language)}`
  const questionCount = `${plural(questions, 'question')}${inLanguage}`
  const drafts = synthetic ? ` (${synthetic.questions} synthetic)` : ''
  const omissions = Object.entries(leftOut).map(([reason, count]) => `${reason} ${count}`)
  const rest = omissions.length > 0 ? `; left out: ${omissions.join(', ')}` : ''
  print(plain(`${dataset.name}: ${documentCount}, ${questionCount}${drafts}${rest}`))
}

const documentOf = ({ hash, trials, plan: { variedValues: varied, record } }: Validated) => ({
  hash,
  ...(varied.length > 0 && { varied }),
  trials,
  config: record,
})

/** The model options with a literal key in place of an environment variable. */
const literalKeysOf = ({ models }: Plan): readonly string[] =>
  Object.entries(models).flatMap(([role, model]) => {
    // without models.judge, models.complete judges
    const isDefault = role === 'judge' && model === models.complete
    return model.record['apiKey'] === mask && !isDefault ? [`models.${role}.apiKey`] : []
  })

/** Tests the models, and prints what they can do. A run that would fail sets the exit code. */
async function tryAll(runs: readonly Asking[], settings: Settings, prints: boolean) {
  const models = await tryModels(runs, settings, ({ roles, tasks }) =>
    printNotice(`${nameOf(roles)}: ${plural(Math.max(1, tasks.length), 'call')}`),
  )
  if (prints) {
    for (const { roles, provider, model, baseUrl, findings } of models) {
      const address = baseUrl === undefined ? '' : ` at ${baseUrl}`
      print(`\n${pc.bold(nameOf(roles))}${plain(`  ${provider} "${model}"${address}`)}`)
      for (const { what, works, said: text } of findings) print(plain(`  ${marks[works]} ${what}: ${text}`))
    }
    print(`\n${pc.dim('+ works   ~ works, with a remark   - does not work with this config')}`)
  }
  const findings = models.flatMap((model) => model.findings)
  if (findings.some(({ works }) => works === 'no')) process.exitCode = exitCodes.incomplete
  return { models }
}

const nameOf = (roles: TryRequest['roles']): string => roles.map((role) => `models.${role}`).join(' and ')

const marks = { yes: '+', but: '~', no: '-' } as const
