/** Something of a paper's table that does not fit together, and where it stands. */
export interface Fault {
  readonly path: readonly (string | number)[]
  readonly message: string
}

/** The fault that a table has no row, column or run of that name; none where it has one. */
export const unlessKnown = (known: object, name: string, path: Fault['path'], what: string): readonly Fault[] =>
  Object.hasOwn(known, name) ? [] : [{ path, message: `there is no ${what} "${name}" in this file` }]
