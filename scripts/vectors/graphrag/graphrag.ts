import type { Adapter } from '../run.ts'
import { communities } from './communities.ts'
import { extraction } from './extraction.ts'
import { queries } from './queries.ts'
import { reports } from './reports.ts'

/** GraphRAG 3.1.2 on its published indexes, and on small inputs. */
export const graphrag: Readonly<Record<string, Adapter>> = { ...extraction, ...communities, ...reports, ...queries }
