import fc from 'fast-check'

// a landing is judged on the same cases every time; at a desk every run draws new ones
if (process.env.CI) fc.configureGlobal({ seed: 42 })
