import type { Prepared } from './prepare.ts'
import { plural } from '../../text/amounts.ts'
import { canonicalJson } from '../../text/hash.ts'
import { languageName, notesOnEnglishProviders } from '../../text/language.ts'
import { tasksOf } from '../../define.ts'
import { withSubmethods, type MethodEntry } from './method-entries.ts'

/** A line on a budget below the size of a chunk; undefined where there is nothing to say. */
export function noteOnBudget({ plan: { budget, chunks } }: Prepared) {
  if (chunks.by === 'none' || budget.tokens >= chunks.size) return undefined
  return `the budget of ${plural(budget.tokens, 'token')} holds no whole chunk of ${chunks.size}; raise budget.tokens or lower chunks.size`
}

/** The language of the questions, if not English, and the models that are made for English. */
export function notesOnLanguage({ statistics, models, methods, scorers, style }: Prepared) {
  const { language } = statistics
  if (language === undefined || language === 'en') return []
  const entries = methods.flatMap(withSubmethods)
  const completes =
    style !== 'none' ||
    scorers.some(({ scorer }) => scorer.judge) ||
    entries.some(({ method, options }) => tasksOf(method, options).length > 0)
  return [
    `the language of the questions is ${languageName(language)}`,
    ...notesOnEnglishProviders(language, completes ? models.offline() : []),
  ]
}

/** Tries the servers that the options of methods name, each once. Throws UserError where one is of no use. */
export async function tryServers(entries: readonly MethodEntry[]): Promise<void> {
  const triedServers = new Set<string>()
  for (const { method, options, file } of entries.flatMap(withSubmethods)) {
    const server = canonicalJson([method.name, options])
    if (file !== undefined || triedServers.has(server)) continue
    triedServers.add(server)
    await method.reach?.(options)
  }
}
