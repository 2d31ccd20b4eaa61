/** Solves for two eigenpairs of N nodes in D dimensions, and prints the peak resident memory of the whole process in bytes. */
import { graphOperator } from '../../src/math/spectrum/graph-operator.ts'
import { leadingEigenpairs } from '../../src/math/spectrum/leading-eigenpairs.ts'
import { clusteredFactors } from './clustered-factors.ts'
import { peakMemory } from './peak-memory.ts'

const [n = 0, d = 0] = process.argv.slice(2).map(Number)
const factors = clusteredFactors({ n, d })
const started = performance.now()
const operator = graphOperator(factors)
const { converged } = leadingEigenpairs(operator, 2)
const seconds = (performance.now() - started) / 1000
const peak = peakMemory()
process.stdout.write(JSON.stringify({ seconds, peak, converged, form: operator.form }))
