/** Where a config names a path (`gembench.yaml:2:24`), and what is written there. */
export interface PathPlace {
  readonly at: string
  readonly written: string
}

const places = new Map<string, PathPlace>()

/** Remembers where a config names a path, for messages on it: who reads the path knows nothing of the config. */
export const rememberPlace = (path: string, place: PathPlace): void => void places.set(path, place)

/** Where the config that was read last names a path; undefined for one that no config names, such as an argument. */
export const placeOfPath = (path: string): PathPlace | undefined => places.get(path)
