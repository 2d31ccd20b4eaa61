import { fail } from './fail.ts'
import { stopListening } from './interrupt.ts'
import { program } from './program.ts'
import { readDotEnv } from './read-dot-env.ts'
import { exitCodes } from './exit-codes.ts'

/** Runs one command line in this process, in its working folder and with its environment. Returns the exit code that it means. */
export async function main(args: readonly string[], version: string): Promise<number> {
  process.exitCode = undefined
  try {
    // before the arguments are read, because a variable may stand for an option; --help and --version need none
    const fault = faultOf(() => readDotEnv(process.cwd(), process.env))
    const refuse = (): void => {
      if (fault) throw fault
    }
    await program(version).hook('preAction', refuse).parseAsync(args, { from: 'user' })
    return exitCodeSet()
  } catch (error) {
    return fail(error)
  } finally {
    stopListening()
  }
}

/** The exit code that the command has set, if any. */
const exitCodeSet = (): number => Number(process.exitCode ?? exitCodes.done)

function faultOf(read: () => void): Error | undefined {
  try {
    read()
    return undefined
  } catch (error) {
    return error as Error
  }
}
