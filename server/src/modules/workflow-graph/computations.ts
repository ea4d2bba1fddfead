/** What takes too long for the server's own thread: a graph is foreign data, and so are the schemas in it. */
import { defineComputation } from '#kernel/compute/computation.ts'
import type { compute as check } from './check-graph.computation.ts'
import type { compute as compare } from './compare-graphs.computation.ts'
import type { compute as nameChanges } from './name-changes.computation.ts'

const maxInputBytes = 16 * 1024 * 1024

export const checkingGraph = defineComputation<typeof check>({
  name: 'check-graph',
  module: new URL('./check-graph.computation.ts', import.meta.url),
  deadlineMs: 2000,
  maxInputBytes,
})

export const comparingGraphs = defineComputation<typeof compare>({
  name: 'compare-graphs',
  module: new URL('./compare-graphs.computation.ts', import.meta.url),
  deadlineMs: 2000,
  maxInputBytes,
})

/** Where they are too large to be compared in detail. */
export const namingChanges = defineComputation<typeof nameChanges>({
  name: 'name-changes',
  module: new URL('./name-changes.computation.ts', import.meta.url),
  deadlineMs: 5000,
  maxInputBytes: 4 * maxInputBytes,
})
