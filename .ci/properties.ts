import fc from 'fast-check'

// a landing is judged on the same cases every time; at a desk every run draws new ones, and half as many
fc.configureGlobal(process.env.CI ? { seed: 42 } : { numRuns: 50 })
