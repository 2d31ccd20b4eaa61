import { isDeepStrictEqual } from 'node:util'
import { rowName, variantOf } from '../../text/names.ts'
import { hidden } from '../../basics/secrets.ts'
import type { Plan } from '../../config/index.ts'
import { counted, percent, plural, inDollars, listing } from '../../report/render/amounts.ts'
import { judgeName } from '../../report/render/notes-on-scores.ts'
import {
  type Asking,
  expectedRun,
  noteOnBudget,
  noteOnReferences,
  notesOnLanguage,
  prepare,
  unreadChunks,
  type Prepared,
  type Settings,
  type UnreadChunks,
  neededServers,
  openTries,
  type Finding,
  type OpenedTry,
  type TriedModel,
} from '../../run/index.ts'
import type { Estimate } from '../../types.ts'
import { plansOf, settingsOf } from '../plan.ts'
import { print, printJson, printNotice } from '../terminal/print.ts'
import { plain } from '../../text/characters.ts'
import { languageName } from '../../text/language.ts'
import { exitCodes, interruptible } from '../ending.ts'
import type { RunFlags } from './run.ts'
import pc from 'picocolors'
import { stringify } from 'yaml'
import { dollars } from '../../basics/dollars.ts'
import { messageOf, UserError } from '../../errors.ts'
import { duration } from '../terminal/progress-bars.ts'

export interface ValidateFlags extends RunFlags {
  readonly models: boolean
}

/** `gembench validate`: reads config and dataset and opens the models; only `--models` asks them anything. */
export async function validateCommand(flags: ValidateFlags): Promise<void> {
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
  const tried = flags.models ? await tryModels(found, settings, !flags.json) : undefined
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
  readonly unread: UnreadChunks | undefined
  readonly trials: number
  /** Calls to a judge, where a scorer has one, and its name. */
  readonly judgeCalls: Estimate | undefined
  readonly judge: string
  /** What must be known before the run, a line each. */
  readonly notes: readonly string[]
}

async function validate(plan: Plan, settings: Settings): Promise<Validated> {
  const prepared = await prepare(plan, settings)
  const { survey, methods, scorers, hash, dataset, models } = prepared
  try {
    const judged = scorers.some(({ scorer }) => scorer.judge)
    const unread = await unreadChunks(prepared)
    const notes = [
      ...survey.notes,
      ...notesOnLanguage(prepared),
      unread && noteOn(unread),
      await noteOnBudget(prepared),
      noteOnReferences(survey),
    ]
    return {
      ...{ plan, survey, methods, scorers, hash, dataset, unread, notes: notes.flatMap((note) => note ?? []) },
      judgeCalls: judged ? (await expectedRun(prepared)).together.judge.calls : undefined,
      judge: judgeName(models.describe().judge, models.describe()),
      trials: survey.questions * methods.length * plan.repeats,
    }
  } finally {
    await prepared.close()
  }
}

const documentOf = ({ hash, trials, unread, judgeCalls, plan: { varied, record } }: Validated) => ({
  ...{ hash, ...(varied.length > 0 && { varied }), trials, ...(judgeCalls && { judgeCalls }) },
  ...{ ...(unread && { unread }), config: record },
})

function report({ plan, hash, methods, survey, dataset, trials, judgeCalls, judge }: Validated): void {
  const { name, repeats, varied } = plan
  print(
    plain(
      `valid: ${rowName({ method: `${name}-${hash}`, variant: variantOf(varied) })}: ${plural(methods.length, 'method')} x ${plural(survey.questions, 'question')}${repeats > 1 ? ` x ${repeats} repeats` : ''} = ${plural(trials, 'trial')}`,
    ),
  )
  const { corpora, documents, questions, language, synthetic, leftOut } = survey
  const left = Object.entries(leftOut).map(([what, count]) => `${what} ${count}`)
  print(
    plain(
      `${dataset.name}: ${plural(documents, 'document')}${corpora > 1 ? ` in ${corpora} corpora` : ''}, ${plural(questions, 'question')}${language === undefined ? '' : ` in ${languageName(language)}`}${synthetic ? ` (${synthetic.questions} synthetic)` : ''}${left.length > 0 ? `; left out: ${left.join(', ')}` : ''}`,
    ),
  )
  if (judgeCalls)
    print(
      plain(`judges: about ${counted(Math.round(judgeCalls.expected))} calls, to ${judge}; all costs: gembench plan`),
    )
}

/** The options of models that hold a key itself, not the name of a variable of the environment. */
function typedKeys({ models }: Plan['record']): readonly string[] {
  const typed = Object.entries(models as Readonly<Record<string, { readonly apiKey?: unknown }>>).filter(
    ([, { apiKey }]) => apiKey === hidden,
  )
  // without a judge of its own, the one that completes judges
  const own = typed.filter(([role, model]) => role !== 'judge' || !isDeepStrictEqual(model, typed[0]?.[1]))
  return own.map(([role]) => `models.${role}.apiKey`)
}

function noteOn({ methods, embedder, readsTokens, ...counted }: UnreadChunks): string {
  const { chunks, cutChunks, tokens, unreadTokens, estimated } = counted
  const longer = `${cutChunks} of ${plural(chunks, 'chunk')} ${cutChunks === 1 ? 'is' : 'are'} longer`
  const counter = estimated ? "; counts by the run's tokenizer, estimates" : ''
  return (
    `${embedder} reads ${plural(readsTokens, 'token')} of a text, and ${longer}: ${percent(unreadTokens / tokens)} of the tokens of all chunks ` +
    `will not be embedded (${methods.join(', ')}${counter}); to embed everything, set "chunks" so that no chunk is longer`
  )
}

/**
 * Tries every model of some runs, each once, without the call cache; says before what that costs at most, and prints
 * what was found where `prints`. Throws UserError where a model cannot be opened.
 */
async function tryModels(
  runs: readonly Asking[],
  settings: Pick<Settings, 'cacheFolder' | 'signal' | 'warn'>,
  prints: boolean,
): Promise<readonly TriedModel[]> {
  const opened = await openTries(runs, settings)
  for (const { roles, costs, price } of opened) {
    const { calls, promptTokens, completionTokens, embeddedTokens } = costs
    const tokens = [
      promptTokens > 0 && `${counted(promptTokens)} tokens of prompts`,
      completionTokens > 0 && `${counted(completionTokens)} of replies`,
      embeddedTokens > 0 && `${counted(embeddedTokens)} embedded tokens`,
    ].filter((part) => part !== false)
    printNotice(
      plain(
        `${nameOf(roles)}: at most ${plural(calls, 'call')} with about ${tokens.join(' and ')}${price ? `, ${inDollars(dollars(costs, price))} dollars` : ''}, besides what is refused`,
      ),
    )
  }
  const tried: TriedModel[] = []
  for (const one of opened) {
    if (prints) printName(one)
    const model = await one.run(prints ? printFinding : () => undefined)
    tried.push(model)
    if (prints) printSpent(model)
  }
  if (prints) printChanges(tried)
  return tried
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
const isLacking = ({ findings }: TriedModel): boolean => findings.some(({ works }) => works === 'no')

const nameOf = (roles: OpenedTry['roles']): string => roles.map((role) => `models.${role}`).join(' and ')

const marks = { yes: '+', but: '~', no: '-' } as const

function printName({ roles, provider, model, baseUrl }: OpenedTry): void {
  const where = baseUrl === undefined ? '' : ` at ${baseUrl}`
  print(`\n${pc.bold(plain(nameOf(roles)))}  ${plain(`${provider} "${model}"${where}`)}`)
}

const printFinding = ({ what, works, said }: Finding): void => print(plain(`  ${marks[works]} ${what}: ${said}`))

function printSpent({ spent, seconds }: TriedModel): void {
  const { calls, promptTokens, completionTokens, embeddedTokens } = spent
  const tokens = counted(promptTokens + completionTokens + embeddedTokens)
  print(pc.dim(`  ${plural(calls, 'call')}, ${tokens} tokens, ${duration(seconds)}`))
}

/** The lines that the config should have instead, and what the marks mean. */
function printChanges(tried: readonly TriedModel[]): void {
  print(
    `\n${pc.dim(`${marks.yes} works, ${marks.but} works otherwise or is to be known, ${marks.no} does not work as the config has it`)}`,
  )
  const changed = tried.flatMap(({ roles, change, remove }) =>
    Object.keys(change).length + remove.length > 0 ? roles.map((role) => ({ role, change, remove })) : [],
  )
  if (changed.length === 0) {
    print(
      tried.some(isLacking)
        ? 'No option was found that mends what does not work.'
        : 'No option of the config needs to be changed for these models.',
    )
    return
  }
  print(`\n${pc.bold('For the config')}  ${pc.dim('(or for a file of its own, given as a second -c)')}\n`)
  const models = Object.fromEntries(changed.map(({ role, change }) => [role, change]))
  for (const line of stringify({ models }, { aliasDuplicateObjects: false }).trimEnd().split('\n')) print(plain(line))
  for (const { role, remove } of changed) for (const name of remove) print(`# remove models.${role}.${name}`)
}
