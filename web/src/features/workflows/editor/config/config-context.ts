/** What the fields of the configuration panel share: the node's values, what is wrong with them, and how they change. */
import type { GraphNode } from '@chancery/contract/workflow-graph.ts'
import { createContext, use } from 'react'

export interface NodeConfig {
  nodeId: string
  config: GraphNode['config']
  /** By field of the form, in the server's words. */
  problems: ReadonlyMap<string, string>
  /** Fields given as undefined are taken away. */
  change: (patch: GraphNode['config']) => void
}

export const ConfigContext = createContext<NodeConfig | undefined>(undefined)

export function useNodeConfig(): NodeConfig {
  const node = use(ConfigContext)
  if (node === undefined) throw new Error('a field of the panel belongs to a node')
  return node
}

export const textAt = (config: GraphNode['config'], name: string): string => {
  const value = config[name]
  return typeof value === 'string' ? value : ''
}
