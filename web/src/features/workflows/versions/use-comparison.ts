/** The data of a comparison: the differences, both graphs, and their union. */
import { useMemo } from 'react'
import { useDiff, useSideGraph } from './api.ts'
import { listChanges } from './changes.ts'
import { unionGraph } from './union-graph.ts'

export function useComparison(workflowId: string, from: string, to: string) {
  const diff = useDiff(workflowId, from, to)
  const before = useSideGraph(workflowId, from)
  const after = useSideGraph(workflowId, to)
  const union = useMemo(
    () => (before.data && after.data && diff.data ? unionGraph(before.data, after.data, diff.data) : undefined),
    [before.data, after.data, diff.data],
  )
  const changes = useMemo(() => (union && diff.data ? listChanges(diff.data, union.graph) : []), [union, diff.data])
  return {
    diff: diff.data,
    before: before.data,
    after: after.data,
    union,
    changes,
    /** The first of the three that failed to load. */
    failed: [diff, before, after].find(({ isError }) => isError),
  }
}
