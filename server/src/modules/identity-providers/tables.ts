/** The tables this module owns. */
import type { OidcProvider, ProviderMapping } from '@chancery/contract/organizations/identity-providers.ts'
import type { ColumnType } from 'kysely'
import type { z } from 'zod'

/** The driver would write an array as one of PostgreSQL's own; as text it becomes JSON. */
type JsonColumn<Value> = ColumnType<Value, string, string>

export type OidcSettings = Omit<z.infer<typeof OidcProvider>, 'hasClientSecret'>

export interface IdentityProvidersTable {
  id: string
  organizationId: string
  kind: 'oidc'
  name: string
  enabled: boolean
  domains: string[]
  createsPeople: boolean
  settings: JsonColumn<OidcSettings>
  mapping: JsonColumn<ProviderMapping>
  /** Of our client there. */
  sealedSecret: string | null
  lastLoginAt: Date | null
  createdAt: Date
  updatedAt: Date
}

interface IdentityProviderLoginsTable {
  fingerprint: string
  expiresAt: Date
}

declare module '#kernel/db/tables.ts' {
  interface Tables {
    identityProviders: IdentityProvidersTable
    identityProviderLogins: IdentityProviderLoginsTable
  }
}
