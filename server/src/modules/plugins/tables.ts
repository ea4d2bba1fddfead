/** The tables this module owns. */
import type { PluginKind } from '@chancery/contract/plugins.ts'
import type { ColumnType, Generated } from 'kysely'
import type { LogLine } from './runtime/index.ts'
import type { PluginSpec } from './spec.ts'

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

interface ToolServerTokensTable {
  serverId: string
  userId: string
  url: string
  sealed: string
  expiresAt: Date | null
  updatedAt: Date
  refreshingUntil: Generated<Date | null>
}

interface ToolServerLoginsTable {
  stateHash: string
  serverId: string
  userId: string
  url: string
  sealed: string
  expiresAt: Date
}

export interface ToolServersTable {
  id: string
  type: 'openapi' | 'mcp'
  name: string
  url: string
  path: string
  authType: 'none' | 'bearer' | 'oauth_2.1'
  sealedKey: string | null
  sealedHeaders: string | null
  enabled: boolean
  needsApproval: boolean
  approvalExempt: string[]
  isRestricted: boolean
  position: number
  updatedAt: Date
}

interface McpCodesTable {
  codeHash: string
  userId: string
  sealed: string
  expiresAt: Date
  /** Once the code is used. */
  keyId: string | null
}

export interface McpRefreshTokensTable {
  tokenHash: string
  keyId: string
  userId: string
  clientHash: string
  expiresAt: Date
  usedAt: Date | null
}

declare module '#kernel/db/tables.ts' {
  interface Tables {
    plugins: PluginsTable
    pluginUserValves: PluginUserValvesTable
    pluginLogs: PluginLogsTable
    toolServers: ToolServersTable
    toolServerTokens: ToolServerTokensTable
    toolServerLogins: ToolServerLoginsTable
    mcpCodes: McpCodesTable
    mcpRefreshTokens: McpRefreshTokensTable
  }
}
