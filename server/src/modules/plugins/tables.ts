/** The tables this module owns. */
import type { PluginKind } from '@chancery/contract/plugins/plugins.ts'
import type { ColumnType, Generated } from 'kysely'
import type { PluginSpec } from './reading/spec.ts'
import type { LogLine } from './runtime/index.ts'

export interface PluginsTable {
  id: string
  kind: PluginKind
  name: string
  description: string
  source: string
  spec: PluginSpec
  manifest: Record<string, string>
  sealedValves: string | null
  isActive: boolean
  isGlobal: boolean
  isRestricted: boolean
  needsApproval: boolean
  approvalExempt: string[]
  ownerKind: 'user' | 'admin'
  ownerId: string
  version: number
  createdAt: Date
  updatedAt: Date
}

interface PluginUserValvesTable {
  pluginId: string
  userId: string
  sealed: string
  updatedAt: Date
}

interface PluginLogsTable {
  id: Generated<ColumnType<string, never, never>>
  pluginId: string
  at: Date
  level: LogLine['level']
  text: string
}

declare module '#kernel/db/tables.ts' {
  interface Tables {
    plugins: PluginsTable
    pluginUserValves: PluginUserValvesTable
    pluginLogs: PluginLogsTable
  }
}
