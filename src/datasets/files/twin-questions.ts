import { basename } from 'node:path'
import type { Question } from '../../types.ts'

/** That questions stand more than once in a file: the same words, options and documents of the evidence, in one line; none where all differ. `lines` by id. */
export function noteOnTwins(
  file: string,
  questions: readonly Question[],
  lines: ReadonlyMap<string, number>,
): readonly string[] {
  const alike = new Map<string, Question[]>()
  for (const question of questions) {
    const key = keyOf(question)
    const known = alike.get(key)
    if (known) known.push(question)
    else alike.set(key, [question])
  }
  const twins = [...alike.values()].filter((these) => these.length > 1 && !areOneCluster(these))
  if (twins.length === 0) return []
  const places = twins.slice(0, mostPlaces).map((these) => `lines ${these.map(({ id }) => lines.get(id)).join(', ')}`)
  const rest = twins.length > mostPlaces ? '; …' : ''
  const often = twins.every(({ length }) => length === 2) ? 'twice' : 'more than once'
  const [stand, count] =
    twins.length === 1
      ? [`1 question stands ${often}`, 'counts each time as an independent question']
      : [`${twins.length} questions stand ${often}`, 'count each time as independent questions']
  return [
    `${stand} in ${basename(file)} (${places.join('; ')}${rest}) and ${count}; leave one, or give them one "cluster"`,
  ]
}

const mostPlaces = 5

/** Whether statistics count questions as one unit already. */
const areOneCluster = ([first, ...others]: readonly Question[]): boolean =>
  first?.cluster !== undefined && others.every(({ cluster }) => cluster === first.cluster)

const keyOf = ({ text, reference, evidence = [] }: Question): string =>
  JSON.stringify([
    text.trim().replace(/\s+/g, ' '),
    reference.kind === 'choice' ? reference.options : [],
    [...new Set(evidence.map(({ documentId }) => documentId))].sort(),
  ])
