/** One text for one meaning: JSON with its keys in order, so that equal graphs are equal bytes. Pure. */
import { createHash } from 'node:crypto'
import type { Graph } from '@chancery/contract/workflow-graph.ts'

export const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null)
  const fields = value as Record<string, unknown>
  const pairs = Object.keys(fields)
    .filter((key) => fields[key] !== undefined)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(fields[key])}`)
  return `{${pairs.join(',')}}`
}

/** Tells whether a graph is the one somebody looked at. Positions count: they are what an editor changes. */
export const hashGraph = (graph: Graph): string => createHash('sha256').update(canonicalJson(graph)).digest('hex')
