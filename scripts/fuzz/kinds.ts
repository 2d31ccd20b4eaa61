import type { Kind } from './kind.ts'

/** Every kind, by the name of its file in `kinds/`. */
export const kindNames: readonly string[] = [
  ...['config', 'record', 'results', 'cassette', 'archive', 'reply', 'plug-in', 'gem', 'kill', 'double'],
]

/** The kind of a name. */
export async function kindNamed(name: string): Promise<Kind> {
  return ((await import(`./kinds/${name}.ts`)) as { readonly default: Kind }).default
}
