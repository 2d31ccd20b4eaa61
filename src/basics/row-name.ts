/** A row's name in tables: `bm25`, or `gem-rag (components=2)` where options are varied. */
export const rowName = ({ method, variant }: { readonly method: string; readonly variant: string }): string =>
  variant === '' ? method : `${method} (${variant})`
