/**
 * What is made for each repeat. Whether the making draws is the same for all repeats, since they are alike up to the first draw: where it
 * does not, what was made first is given to every repeat, be it a failure; where it does, each has its own, and none is kept here.
 */
export function perRepeat<T extends { readonly drew: boolean }>(
  make: (repeat: number) => Promise<T>,
): (repeat: number) => Promise<T> {
  let forAll: Promise<T | undefined> | undefined
  return (repeat) => {
    if (forAll) return forAll.then((made) => made ?? make(repeat))
    const first = make(repeat)
    forAll = first.then((made) => (made.drew ? undefined : made))
    // who asked for the first hears of its failure
    forAll.catch(() => undefined)
    return first
  }
}
