import { availableParallelism, cpus, totalmem, type } from 'node:os'

/** The machine in words, without its name: kind of processor, cores, memory, system and version of Node. */
export const describeMachine = (): string =>
  `${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GB of memory, ${type()}, Node ${process.versions.node}`
