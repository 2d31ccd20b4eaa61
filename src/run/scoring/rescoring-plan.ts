import { join } from 'node:path'
import { readConfigValue, type Plan } from '../../config/index.ts'
import { filesOf } from '../../define.ts'
import { UserError } from '../../errors.ts'
import type { Manifest } from '../../records.ts'
import { isObjectName } from '../plug-ins/objects.ts'
import { menus } from '../plug-ins/menus.ts'

/** What a user says of a results folder. `plan`: its config, given again. `trusted`: what its manifest names may be followed. */
export interface Trust {
  readonly plan?: Plan
  readonly trusted?: boolean
}

/**
 * The models and scorers that score a run again: those of its manifest, or of its config where that is given. A manifest may be a stranger's:
 * a file, an address or a variable that it names is a UserError unless it is trusted. Of a trusted one, a key that is not set now matters only
 * to a judge that must be asked.
 */
export async function rescoringPlan(
  manifest: Manifest,
  folder: string,
  { plan, trusted = false }: Trust,
): Promise<Plan> {
  const { name, seed, judgeRuns } = manifest
  if (plan?.scorers) return { ...plan, name, seed, judgeRuns }
  const { models, chunks, concurrency, limits } = manifest.config as Readonly<Record<string, unknown>>
  const named: Named = {
    scorers: manifest.scorers.map(({ use, scorer, options }) => ({ use, label: scorer, ...(options as object) })),
    // without a judge no model is asked
    models: plan || !manifest.scorers.some(({ judge }) => judge) ? {} : { ...(models as Named['models']) },
  }
  const file = join(folder, 'manifest.json')
  const gone = manifest.scorers.filter(({ use }) => isObjectName(use)).map(({ scorer }) => `"${scorer}"`)
  if (gone.length > 0)
    throw new UserError(
      `${file}: of the program that made the run, and cannot be replayed without it: ${gone.join(', ')}`,
    )
  if (!trusted) await refuseFollowed(file, named)
  const { embed = 'fake', judge = 'extractive' } = named.models
  const value = {
    ...{ name, seed, judgeRuns, chunks, concurrency, ...(limits !== undefined && { limits }), scorers: named.scorers },
    models: { embed, judge },
    // neither is asked
    ...{ dataset: 'sample', methods: ['closed-book'] },
  }
  const unset = Object.fromEntries(variablesIn(value).map((variable) => [variable, 'not-set']))
  const environment = trusted ? { ...unset, ...process.env } : {}
  const read = await readConfigValue(value, file, { cwd: process.cwd(), environment }, menus)
  return { ...(plan ?? read), name, seed, judgeRuns, ...(read.scorers && { scorers: read.scorers }) }
}

/** What a manifest names that could be followed. */
interface Named {
  readonly scorers: readonly Readonly<Record<string, unknown>>[]
  readonly models: Readonly<Record<string, unknown>>
}

/** Models that have no address, no file and no key. */
const harmless: readonly unknown[] = ['extractive', 'fake', 'minilm']

async function refuseFollowed(file: string, { scorers, models }: Named): Promise<void> {
  const files: string[] = []
  for (const { use, label: _label, ...options } of scorers) {
    const known = await menus.scorers.load(String(use))
    files.push(...(known ? filesOf(known.options, options).map(([, path]) => path) : [String(use)]))
  }
  const asked = [models['judge'], models['embed']].flatMap((model) => {
    const named: Named['models'] = typeof model === 'object' && model !== null ? { ...model } : { use: model }
    const place = named['baseUrl'] ?? named['path'] ?? named['model']
    return named['use'] === undefined || harmless.includes(named['use'])
      ? []
      : [`the model ${JSON.stringify(named['use'])} at ${JSON.stringify(place)}`]
  })
  const named = [
    ...files.map((one) => `the file ${JSON.stringify(one)}`),
    ...asked,
    ...variablesIn([scorers, models['judge'], models['embed']]).map((variable) => `the variable ${variable}`),
  ]
  if (named.length === 0) return
  throw new UserError(
    `${file} names ${[...new Set(named)].slice(0, 5).join(', ')}: what a results folder names is not followed; ` +
      'give the config of the run with --config FILE, or --trust where you know who made the folder',
  )
}

const variablesIn = (value: unknown): readonly string[] =>
  [...JSON.stringify(value ?? null).matchAll(/(?<!\$)\$\{(\w+)\}/g)].map(([, variable = '']) => variable)
