/** The item of a menu that has that name; the config was read against the same menus. */
export function itemNamed<T extends { readonly name: string }>(menu: readonly T[], name: string): T {
  const item = menu.find((one) => one.name === name)
  if (!item) throw new Error(`"${name}" was on the menu when the config was read`)
  return item
}
