/** What is looked for: a list, an object, or an object that holds a list of that name and nothing else. */
export type Expected = 'list' | 'object' | { readonly listOf: string }
