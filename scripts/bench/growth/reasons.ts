const synonyms =
  'Synonyms are exact, as in the paper: every two phrases are compared once, in 8 bits and, where these cannot tell, in 64, in memory that grows with the phrases alone. There is no size from which on they are not.'

const descriptions =
  'Names that recur gather descriptions: of 1,000 chunks 38 are long enough to be rewritten, of 10,000 chunks 642, each shown to the model whole. From `maxDescriptionTokens` (31,129) on a description is cut, and its prompt grows no more.'

/** Why the cost of a method grows faster than its chunks, and from which size on it does what does not. */
export const growsFaster: Readonly<Record<string, string>> = {
  'gem-rag':
    'The graph of similarities is complete: every two chunks are compared, for the negative weights that are clamped. Up to 300 chunks all weights are stored and solved densely, up to 4,000 where one is negative they are stored; above, eigenvectors come from the factors of the matrix, whose memory grows with the chunks, and a list of the negative weights of at most 1 GB. `negatives: keep` and `shift` compare no pairs.',
  raptor:
    "UMAP's nearest neighbours are exact: every two nodes of a layer are compared, 64 rows at a time; and of n nodes each has sqrt(n - 1) neighbours, as in the reference, up to 10,001 nodes: from there on it has 100, and the graph grows with the nodes. `reducer: pca` compares no pairs.",
  unweaver: descriptions,
  'unweaver-ppr': descriptions,
  hipporag: synonyms,
  hipporag2: synonyms,
}
