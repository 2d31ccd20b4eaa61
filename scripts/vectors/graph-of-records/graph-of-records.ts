import type { Adapter } from '../run.ts'
import { network } from './network.ts'
import { records } from './records.ts'

/** Graph of Records as its authors' code computes it. */
export const graphOfRecords: Readonly<Record<string, Adapter>> = { ...network, ...records }
