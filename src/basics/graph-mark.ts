/** Stands near the beginning of every file that the command writes, so that it overwrites only its own. */
export const mark = 'made by gembench graph'
