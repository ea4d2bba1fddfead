/** Paths in the graph that probably lead nowhere. They follow the typing when there is time. */
import type { Graph } from '@chancery/contract/workflows/graph.ts'
import { useDeferredValue, useMemo } from 'react'
import { pathHints } from '../completion/path-hints.ts'
import { type LocatedProblem, locateHints } from './state/problems.ts'
import { useSamples } from './use-samples.ts'

export function useHints(workflowId: string, graph: Graph): LocatedProblem[] {
  const samples = useSamples(workflowId)
  const settled = useDeferredValue(graph)
  return useMemo(() => locateHints(settled, pathHints(settled, samples)), [settled, samples])
}
