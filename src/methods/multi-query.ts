export { multiQuery } from './shared/query-rewriting.ts'
