import { UserError } from '../../errors.ts'
import { nearest } from '../../text/names.ts'
import { shapeFaults } from '../../text/shape-faults.ts'
import { plugInShapes, type PlugInKind } from './plug-in-shapes.ts'

/** More lines than this help nobody. */
const mostFaults = 5

/** Throws UserError where a plug-in is not in the shape of its kind: a line a fault, at most five. */
export function checkPlugIn(kind: PlugInKind, plugIn: object, file: string): void {
  const faults = plugInFaults(kind, plugIn)
  if (faults.length === 0) return
  const name = (plugIn as { readonly name?: unknown }).name
  const head = `${file}: ${kind}${typeof name === 'string' ? ` "${name}"` : ''}: `
  const rest = faults.length > mostFaults ? [`${head}… and ${faults.length - mostFaults} more faults`] : []
  throw new UserError([...faults.slice(0, mostFaults).map((fault) => `${head}${fault}`), ...rest].join('\n'))
}

/** What is not in the shape of its kind. */
export function plugInFaults(kind: PlugInKind, plugIn: object): readonly string[] {
  const { schema, advice } = plugInShapes[kind]
  const misspelt = misspeltFields(plugIn, Object.keys(schema.shape))
  return [
    ...misspelt.map(({ field, meant }) => `unknown field "${field}"; did you mean "${meant}"?`),
    ...shapeFaults(schema, plugIn, advice)
      .filter(({ path }) => !misspelt.some(({ meant }) => meant === path[0]))
      .map(({ message }) => message),
  ]
}

/** Fields that no plug-in of the kind has, where one of nearly that name is not there. */
function misspeltFields(
  plugIn: object,
  known: readonly string[],
): readonly { readonly field: string; readonly meant: string }[] {
  const absent = known.filter((field) => (plugIn as Readonly<Record<string, unknown>>)[field] === undefined)
  return Object.keys(plugIn).flatMap((field) => {
    const meant = known.includes(field) ? undefined : nearest(field, absent)
    return meant === undefined ? [] : [{ field, meant }]
  })
}
