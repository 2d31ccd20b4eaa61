import type { Prepared } from './prepare.ts'
import { plural } from '../../text/amounts.ts'
import { canonicalJson } from '../../text/hash.ts'
import { languageName, notesOnEnglishProviders } from '../../text/language.ts'
import { tasksOf } from '../../define.ts'
import { withSubmethods, type MethodEntry } from './method-entries.ts'

/** A line that no chunk fits the budget; undefined where one fits. */
export function noteOnBudget({ plan: { budget }, statistics: { leastChunk } }: Prepared) {
  if (leastChunk === undefined) return undefined
  return `no chunk fits the budget of ${plural(budget.tokens, 'token')}: the shortest has ${leastChunk}; raise budget.tokens or lower chunks.size`
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

/**
 * The servers that the options of methods name, each once, with a row that needs it. `reach` gives name and versions;
 * throws UserError where it is of no use.
 */
export function neededServers(entries: readonly MethodEntry[]) {
  const servers = new Map<string, { readonly row: string; readonly reach: () => Promise<string | undefined> }>()
  for (const entry of entries)
    for (const { method, options, file } of withSubmethods(entry))
      if (file === undefined && method.reach)
        servers.set(canonicalJson([method.name, options]), {
          row: entry.row.method,
          reach: async () => method.reach?.(options),
        })
  return [...servers.values()]
}
