export { twoWiki } from './hipporag-sets.ts'
