export { node2vec } from './graph-of-records/node2vec.ts'
