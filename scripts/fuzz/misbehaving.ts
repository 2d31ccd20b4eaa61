import type { Kind } from './kind.ts'

/** A kind that does what the program must never do, by the first byte of a mutant: the runner is tested with it. */
const misbehaving: Kind = {
  name: 'misbehaving',
  mutants: 0,
  mutantsInTest: 0,
  limitSeconds: 2,
  open: async () => ({
    make: () => ({ of: '', bytes: new Uint8Array([9]) }),
    async attempt({ bytes: [first = 9] }) {
      switch (first) {
        case 0:
          for (;;) first = Math.max(first, 0)
        case 1:
          setTimeout(() => {
            throw new Error('too late')
          })
          return new Promise(() => undefined)
        case 2:
          throw new TypeError('unforeseen')
        case 3:
          Object.defineProperty(Object.prototype, 'polluted', { value: 1, enumerable: true, configurable: true })
          return { outcome: 'read' }
        case 4:
          Reflect.deleteProperty(Object.prototype, 'polluted')
          return { fault: 'another value' }
        default:
          return { outcome: 'read' }
      }
    },
  }),
}
export default misbehaving
