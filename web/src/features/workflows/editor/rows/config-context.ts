/** Shared by the fields of the settings panel: the node's values, their problems, and how to change them. */
import type { GraphNode } from '@chancery/contract/workflows/graph.ts'
import { createContext, use } from 'react'
import type { Known } from '../../completion/complete.ts'

export interface NodeConfig {
  nodeId: string
  config: GraphNode['config']
  /** Sample values of the run, for completion. */
  known: Known
  /** By form field, in the server's words. */
  problems: ReadonlyMap<string, string>
  /** By form field: paths that probably lead nowhere. */
  hints: ReadonlyMap<string, string>
  /** Fields set to undefined are removed. */
  change: (patch: GraphNode['config']) => void
}

export const ConfigContext = createContext<NodeConfig | undefined>(undefined)

export function useNodeConfig(): NodeConfig {
  const node = use(ConfigContext)
  if (node === undefined) throw new Error('settings fields must be rendered inside a node panel')
  return node
}

export const textAt = (config: GraphNode['config'], name: string): string => {
  const value = config[name]
  return typeof value === 'string' ? value : ''
}

export const namesAt = (config: GraphNode['config'], name: string): string[] => {
  const value = config[name]
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []
}
