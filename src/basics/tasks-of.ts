/** The tasks that a plug-in may run with its options. */
export const tasksOf = <T>(
  { tasks = [] }: { readonly tasks?: readonly T[] | ((options: unknown) => readonly T[]) },
  options: unknown,
): readonly T[] => (typeof tasks === 'function' ? tasks(options) : tasks)
