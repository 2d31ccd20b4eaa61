import type { Command } from 'commander'
import { cacheOption, collect, examples, wholeNumber } from '../flags.ts'
import { resolve } from 'node:path'
import { serve, type WorkerSettings } from '../../run/index.ts'
import { interruptible } from '../ending.ts'
import { printNotice } from '../terminal/print.ts'

type WorkFlags = Pick<WorkerSettings, 'allow' | 'concurrency' | 'cache' | 'cacheFolder'>

export const setUp = (command: Command): Command =>
  command
    .argument('<redis>', 'address of the Redis, such as redis://localhost:6379 or rediss://NAME:PASSWORD@HOST:PORT')
    .option(
      '--allow <name>',
      'a program, plug-in file or environment variable that runs may use here (repeatable); nothing else is run or read',
      collect,
      [],
    )
    .option(
      '--concurrency <number>',
      'indexes and questions at the same time (default: as the config of the run says)',
      wholeNumber,
    )
    .addOption(cacheOption())
    .option('--no-cache', 'do not use the call cache on disk')
    .action(workCommand)
    .addHelpText('after', examples('gembench work redis://10.0.0.5:6379'))

async function workCommand(redis: string, { allow, concurrency, cache, cacheFolder }: WorkFlags): Promise<void> {
  const signal = interruptible()
  const settings = { allow, cache, cacheFolder: resolve(cacheFolder), signal, warn: printNotice }
  await serve(redis, concurrency === undefined ? settings : { ...settings, concurrency })
}
