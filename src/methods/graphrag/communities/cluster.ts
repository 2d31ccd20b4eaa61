import { hierarchicalLeiden, type HierarchyOptions } from '../../../math/leiden/hierarchical-leiden.ts'
import { graphOf, type Component } from './component.ts'
import type { Cluster } from './community-rows.ts'

/** Hierarchical Leiden with one iteration over the names of a component (section 2.7). */
export const cluster = (component: Component, options: HierarchyOptions): readonly Cluster[] =>
  hierarchicalLeiden(graphOf(component), { iterations: 1, ...options }).map(({ number, level, parent, nodes }) => ({
    id: number,
    level,
    parent,
    titles: Array.from(nodes).flatMap((node) => component.names[node] ?? []),
  }))
