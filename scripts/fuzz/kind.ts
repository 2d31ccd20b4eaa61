/** A file as it was damaged; `of`: which of the kind's files it stands for, and how it is to be read. */
export interface Mutant {
  readonly of: string
  readonly bytes: Uint8Array
}

/** A stream of numbers uniform in [0, 1). */
export type Random = () => number

/** The result of a mutant: an `outcome`, which is counted, or a `fault` of the program. */
export type Verdict = { readonly outcome: string } | { readonly fault: string }

/** A kind with its undamaged files and their results. */
export interface OpenedKind {
  /** The same numbers make the same mutant. */
  make(random: Random): Mutant
  /** Gives a mutant to the program. An exception is a fault. */
  attempt(mutant: Mutant): Promise<Verdict>
}

/** One sort of input. */
export interface Kind {
  readonly name: string
  /** Number of mutants without `--mutants`. */
  readonly mutants: number
  /** Number of mutants in the tests. */
  readonly mutantsInTest: number
  /** A mutant that takes longer hangs. */
  readonly limitSeconds: number
  /** `folder` is empty; no other kind uses it. */
  open(folder: string): Promise<OpenedKind>
}

/** Settings of most kinds. */
export const usual = { mutants: 10_000, mutantsInTest: 50, limitSeconds: 10 } as const

/** Every kind, by the name of its file in `kinds/`. */
export const kindNames: readonly string[] = [
  ...['config', 'record', 'results', 'call-file', 'archive', 'reply', 'plug-in'],
]

/** Throws where no kind has the name. */
export async function loadKind(name: string): Promise<Kind> {
  return ((await import(`./kinds/${name}.ts`)) as { readonly default: Kind }).default
}
