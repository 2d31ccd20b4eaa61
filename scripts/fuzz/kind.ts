/** A file as it was damaged; `of`: which of the kind's files it stands for, and how it is to be read. */
export interface Mutant {
  readonly of: string
  readonly bytes: Uint8Array
}

/** A stream of numbers uniform in [0, 1). */
export type Random = () => number

/** What became of a mutant. `outcome` is counted; a `fault` is a failure of the program. */
export type Verdict = { readonly outcome: string } | { readonly fault: string }

/** One sort of input, opened: its whole files are made, and what they give is known. */
export interface OpenedKind {
  /** The same numbers make the same mutant. */
  make(random: Random): Mutant
  /** Gives a mutant to the program. What it throws is a fault too. */
  attempt(mutant: Mutant): Promise<Verdict>
}

/** One sort of input. */
export interface Kind {
  readonly name: string
  /** Mutants where no number is asked for. */
  readonly mutants: number
  /** How many of them the tests try. */
  readonly tested: number
  /** A mutant that takes longer hangs. */
  readonly limitSeconds: number
  /** `folder` is empty and the kind's own. */
  open(folder: string): Promise<OpenedKind>
}

/** What most kinds have. */
export const usual = { mutants: 10_000, tested: 50, limitSeconds: 10 } as const

/** Every kind, by the name of its file in `kinds/`. */
export const kindNames: readonly string[] = [
  ...['config', 'record', 'results', 'cassette', 'archive', 'reply', 'plug-in'],
]

/** The kind of a name. */
export async function kindNamed(name: string): Promise<Kind> {
  return ((await import(`./kinds/${name}.ts`)) as { readonly default: Kind }).default
}
