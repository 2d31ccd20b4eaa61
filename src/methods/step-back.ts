export { stepBack } from './shared/query-rewriting.ts'
