import { UserError } from '../errors.ts'
import { lockFolder } from '../run/results/lock.ts'

// a process that locks the folders it is told to: `lock FOLDER` is answered with `held` or `refused`, `release` with
// `released`
let release: (() => Promise<void>) | undefined

process.on('message', (message: string) => {
  void (async () => {
    if (message === 'release') {
      await release?.()
      release = undefined
      process.send?.('released')
      return
    }
    try {
      release = await lockFolder(message, 5000)
      process.send?.('held')
    } catch (error) {
      process.send?.(error instanceof UserError ? 'refused' : String(error))
    }
  })()
})
process.send?.('ready')
