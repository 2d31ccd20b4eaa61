import pc from 'picocolors'
import { stringify } from 'yaml'
import { dollars } from '../../basics/dollars.ts'
import { messageOf, UserError } from '../../errors.ts'
import { counted, inDollars, listing, plural } from '../../report/render/amounts.ts'
import {
  neededServers,
  openTries,
  type Asking,
  type Finding,
  type OpenedTry,
  type Settings,
  type TriedModel,
} from '../../run/index.ts'
import { plain } from '../../text/characters.ts'
import { print, printNotice } from '../terminal/print.ts'
import { duration } from '../terminal/progress-bars.ts'

/**
 * Tries every model of some runs, each once, without the call cache; says before what that costs at most, and prints
 * what was found where `prints`. Throws UserError where a model cannot be opened.
 */
export async function tryModels(
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
export async function tryServers(runs: readonly Asking[], prints: boolean): Promise<readonly TriedServer[]> {
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
export const isLacking = ({ findings }: TriedModel): boolean => findings.some(({ works }) => works === 'no')

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
