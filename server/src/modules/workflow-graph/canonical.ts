/** JSON with sorted keys, so that equal graphs have equal text. Pure. */
import { createHash } from 'node:crypto'
import type { Graph } from '@chancery/contract/workflows/graph.ts'

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

/** Identifies a graph exactly, including node positions. */
export const hashGraph = (graph: Graph): string => createHash('sha256').update(canonicalJson(graph)).digest('hex')
