/** The tables this module owns. */
import type { ModelPrices } from '@chancery/contract/models/prices.ts'

export interface ConnectionsTable {
  id: string
  type: 'upstream' | 'compat'
  name: string
  url: string
  sealedKey: string | null
  prefixId: string | null
  modelIds: string[] | null
  tags: string[]
  enabled: boolean
  timeoutSec: number | null
  /** By the model's id as the server calls it. */
  prices: ModelPrices
  createdAt: Date
  updatedAt: Date
}

export interface ModelsTable {
  id: string
  /** Null: not a model of its own, but what an administrator says about a connection's model of this id. */
  baseModelId: string | null
  name: string
  params: Record<string, unknown>
  meta: Record<string, unknown>
  ownerKind: 'user' | 'admin'
  ownerId: string
  isRestricted: boolean
  isActive: boolean
  createdAt: Date
  updatedAt: Date
}

export interface ModelDefaultsTable {
  ownerId: string
  userId: string | null
  organizationId: string | null
  defaultModel: string | null
  pinned: string[]
  updatedAt: Date
}

declare module '#kernel/db/tables.ts' {
  interface Tables {
    connections: ConnectionsTable
    models: ModelsTable
    modelDefaults: ModelDefaultsTable
  }
}
