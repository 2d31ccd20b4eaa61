/** Which row and corpus a graph page shows, by its title, `CORPUS: ROW`; undefined where it shows none of the rows. */
export function drawnIn(
  beginning: string,
  rows: readonly string[],
): { readonly row: string; readonly corpus: string } | undefined {
  const [, escaped] = /<title>([^<]*)<\/title>/.exec(beginning) ?? []
  const title = escaped?.replace(/&#(\d+);/g, (_mark, code: string) => String.fromCharCode(Number(code))) ?? ''
  // a row may be named as the end of another one is
  const [row] = rows.filter((one) => title.endsWith(`: ${one}`)).sort((a, b) => b.length - a.length)
  return row === undefined ? undefined : { row, corpus: title.slice(0, -`: ${row}`.length) }
}
