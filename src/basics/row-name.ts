/** A row's name in tables: `bm25`, or `gem-rag (components=2)` where options are varied. */
export const rowName = ({ method, variant }: { readonly method: string; readonly variant: string }): string =>
  variant === '' ? method : `${method} (${variant})`

/** The variant of a row: `components=2, questions=5`; empty where nothing is varied. */
export const variantOf = (varied: readonly { readonly option: string; readonly text: string }[]): string =>
  varied.map(({ option, text }) => `${option}=${text}`).join(', ')
