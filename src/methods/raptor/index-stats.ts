import type { IndexStats } from '../../types.ts'
import type { RaptorOptions } from './options.ts'
import type { Scope } from './scope.ts'
import type { Tree } from './tree.ts'

/** What was built, summed over the trees; what fell back, and why each tree ended, stands there in words. */
export function statsOf(trees: readonly Tree[], scope: Scope): IndexStats {
  const sum = sumOver(trees)
  const highest = Math.max(0, ...trees.map(({ layers }) => layers.length))
  return {
    scope,
    trees: trees.length,
    treesWithoutSummary: sum(hasNoSummary),
    layers: highest,
    nodesPerLayer: Array.from({ length: highest }, (_, layer) => sum(({ layers }) => layers[layer]?.length ?? 0)),
    summaries: sum(({ nodes }) => nodes.filter(({ layer }) => layer > 0).length),
    summariesLost: sum(({ lost }) => lost.length),
    summariesCut: sum(({ cutSummaries }) => cutSummaries),
    singleMemberClusters: sum((tree) => tree.singleMemberClusters),
    reclusterings: sum(({ log }) => log.reclusterings),
    cutInTextOrder: sum(({ log }) => log.cut),
    stopped: trees.map(({ stopped }) => stopped),
    fallbacks: trees.flatMap(({ log }, tree) =>
      log.fallbacks.map(({ at, from, to, reason }) => `tree ${tree}: ${at}: ${from} to ${to}: ${reason}`),
    ),
  }
}

/** What was done otherwise than asked, counted in words that end a note. */
export function warningsOf(
  trees: readonly Tree[],
  { numLayers }: Pick<RaptorOptions, 'numLayers'>,
): Readonly<Record<string, number>> {
  const sum = sumOver(trees)
  const falls = trees.flatMap(({ log }) => log.fallbacks.map(({ from, to }) => `from ${from} to ${to}`))
  const kinds = [...new Set(falls)]
  return {
    ...Object.fromEntries(
      kinds.map((kind) => [`clusterings that fell back ${kind}`, falls.filter((fall) => fall === kind).length]),
    ),
    'trees without a summary': numLayers === 0 ? 0 : sum(hasNoSummary),
    'summaries that could not be read or were refused': sum(({ lost }) => lost.length),
    'summaries cut at summaryTokens': sum(({ cutSummaries }) => cutSummaries),
    'clusters too long for one summary that clustering could not split and that were cut in text order': sum(
      ({ log }) => log.cut,
    ),
    'trees that ended early because the next layer would have had nearly as many nodes': sum(({ stopped }) =>
      Number(stopped === 'staircase'),
    ),
  }
}

const hasNoSummary = ({ layers }: Tree): number => Number(layers.length < 2)

const sumOver =
  (trees: readonly Tree[]) =>
  (of: (tree: Tree) => number): number =>
    trees.reduce((total, tree) => total + of(tree), 0)
