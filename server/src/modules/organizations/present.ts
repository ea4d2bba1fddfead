/** The only way from rows to JSON. */
import type { OrganizationHead } from '@chancery/contract/accounts.ts'
import type { Organization } from '@chancery/contract/organizations.ts'
import type { OrganizationRow as ConsoleRow } from '@chancery/contract/platform.ts'
import type { z } from 'zod'
import type { OrganizationRow } from './queries.ts'

export const presentHead = ({ id, name, code }: OrganizationRow): z.infer<typeof OrganizationHead> => ({
  id,
  name,
  code,
})

export const presentOrganization = (row: OrganizationRow, memberCount: number): Organization => ({
  ...presentHead(row),
  authProvider: row.authProvider,
  plan: {
    name: row.plan,
    trialEndsAt: row.trialEndsAt?.toISOString() ?? null,
    limits: { members: row.maxMembers, documentsPerMonth: row.maxDocumentsPerMonth, storageBytes: row.maxStorageBytes },
  },
  memberCount,
  createdAt: row.createdAt.toISOString(),
})

/** As the platform console lists it. */
export const presentForConsole = (row: OrganizationRow, memberCount: number): ConsoleRow => ({
  ...presentHead(row),
  authProvider: row.authProvider,
  plan: row.plan,
  memberCount,
  createdAt: row.createdAt.toISOString(),
})
