import { loadOptional } from '../../basics/loading.ts'

/** BullMQ, the queue of jobs. Throws UserError with the command that installs it. */
export const loadBullmq = async (): Promise<typeof import('bullmq')> =>
  (await loadOptional({ kind: 'workers', package: 'bullmq', version: '5.81.5' })) as typeof import('bullmq')

/** The client of Redis, which BullMQ brings along. Throws as `loadBullmq` does. */
export const loadIoredis = async (): Promise<typeof import('ioredis')> =>
  (await loadOptional({ kind: 'workers', package: 'ioredis', version: '5.11.1' })) as typeof import('ioredis')
