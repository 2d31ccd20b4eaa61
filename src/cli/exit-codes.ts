/** What a process may end with. */
export const exitCodes = {
  done: 0,
  unexpected: 1,
  usage: 2,
  incomplete: 3,
  worse: 4,
  limited: 5,
  interrupted: 130,
} as const

/** What is said where Ctrl-C has ended a command. */
export const interruptedLine = 'interrupted: finished work is kept; run the same command again to continue'
