export { decompose } from './shared/query-rewriting.ts'
