/** Limits on sending and storing: by the plan of an organization, or by the settings for people without one. */
import type { Db } from '#kernel/db/database.ts'
import type { OrganizationsConfig } from '../config.ts'
import { findOrganizationUnscoped } from '../queries/organizations.ts'

export interface ScopeLimits {
  documentsPerMonth: number
  storageBytes: number
}

export const findLimitsUnscoped = async (
  { SVC_PERSON_DOCUMENTS_PER_MONTH, SVC_PERSON_STORAGE_MB }: OrganizationsConfig,
  db: Db,
  organizationId: string | null,
): Promise<ScopeLimits> => {
  const organization = organizationId === null ? undefined : await findOrganizationUnscoped(db, organizationId)
  return {
    documentsPerMonth: organization?.maxDocumentsPerMonth ?? SVC_PERSON_DOCUMENTS_PER_MONTH,
    storageBytes: organization?.maxStorageBytes ?? SVC_PERSON_STORAGE_MB * 1024 * 1024,
  }
}
