import { Console } from 'node:console'
import { messageOf, UserError } from '../errors.ts'
import { openChecks, type CheckWork } from './check-file.ts'

// The process that a plug-in file is checked in: it loads the file, runs one check after the other, and ends with the
// process that started it.

const tell = process.send?.bind(process)
globalThis.console = new Console(process.stdout, process.stdout)
process.on('disconnect', () => process.exit())

let opened: Awaited<ReturnType<typeof openChecks>> | undefined
let fail: (error: unknown) => void = () => undefined
process.on('uncaughtException', (error) => fail(error))
process.on('unhandledRejection', (error) => fail(error))

process.on('message', (request: CheckWork & { readonly id: number }) => void take(request))

async function take({ id, ...work }: CheckWork & { readonly id: number }): Promise<void> {
  const failed = new Promise<never>((_, reject) => (fail = reject))
  try {
    const value = await Promise.race([done(work), failed])
    tell?.({ id, value })
  } catch (error) {
    const mend = error instanceof UserError
    tell?.({ id, error: mend ? { message: error.message, mend } : { message: messageOf(error) } })
  }
}

async function done(work: CheckWork): Promise<unknown> {
  if (work.op === 'open') return (opened = await openChecks(work.file, work.how)).plugIns
  return opened?.run(work.plugIn, work.check)
}
