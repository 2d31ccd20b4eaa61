import { UserError } from '../errors.ts'
import { checkPlugIn } from '../run/plug-ins/check-plug-in.ts'
import { plugInShapes, type PlugInKind } from '../run/plug-ins/plug-in-shapes.ts'

const kinds: readonly PlugInKind[] = ['method', 'scorer', 'dataset']

/**
 * Throws UserError with what an exported object with a name lacks, as a run says it, where it was meant to be a method, scorer or dataset: the
 * kind that the file defines, or else the one of which it has most fields. Anything else passes.
 */
export function refuseUnfinished(
  exported: readonly Readonly<Record<string, unknown>>[],
  file: string,
  source: string,
): void {
  for (const item of exported) {
    if (typeof item['name'] !== 'string') continue
    const kind = kindMeant(item, source)
    if (kind) checkPlugIn(kind, item, file)
    else
      throw new UserError(
        `${file}: "${item['name']}" is no method, scorer or dataset yet: a method has index(…), a scorer score(…), a dataset files(…) and corpora(…); define it with defineMethod, defineScorer or defineDataset to be told what is missing`,
      )
  }
}

/** Undefined where it may be of several kinds. */
function kindMeant(item: object, source: string): PlugInKind | undefined {
  const defined = kinds.filter((kind) => new RegExp(`\\bdefine${kind}\\b`, 'i').test(source))
  const possible = defined.length > 0 ? defined : kinds
  const known = possible.map((kind) => Object.keys(plugInShapes[kind].schema.shape).filter((key) => key in item).length)
  const nearest = possible.filter((_, index) => known[index] === Math.max(...known))
  return nearest.length === 1 ? nearest[0] : undefined
}
