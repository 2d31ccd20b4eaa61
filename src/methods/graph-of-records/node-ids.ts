/** The id of a node in the drawing, and in the trace of a passage, counted from 1. */
export const nodeId = (graph: number, node: number): string => `graph ${graph + 1} node ${node + 1}`

/** The id of a simulated query in the drawing. */
export const queryId = (graph: number, query: number): string => `graph ${graph + 1} query ${query + 1}`
