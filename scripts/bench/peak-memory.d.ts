export function peakMemory(): number
