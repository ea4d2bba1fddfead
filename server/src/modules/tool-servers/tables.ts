/** The tables this module owns. */
import type { Generated } from 'kysely'

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
    toolServers: ToolServersTable
    toolServerTokens: ToolServerTokensTable
    toolServerLogins: ToolServerLoginsTable
    mcpCodes: McpCodesTable
    mcpRefreshTokens: McpRefreshTokensTable
  }
}
