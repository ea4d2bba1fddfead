/** Ports that modules on higher floors fill. */
import type { Db } from '#kernel/db/database.ts'
import type { InvitationsTable } from './tables.ts'

interface About {
  organizationId: string
}

export type OrganizationEvent =
  | (About & { type: 'organization_registered' | 'organization_renamed' })
  | (About & { type: 'group_saved' | 'group_deleted' | 'department_saved' | 'department_deleted'; unitId: string })
  | (About & {
      type: 'member_added' | 'member_role_changed' | 'member_deactivated' | 'member_reactivated'
      userId: string
    })

/** Called inside the transaction of the change: what it enqueues exists exactly when the change does. */
export type OrganizationListener = (tx: Db, event: OrganizationEvent) => Promise<void>

/**
 * Brings a person into a company that signs in elsewhere. A mail that failed is no failure: `invite` is then asked
 * again, as it is after a crash in the middle, so it must bear repeating.
 */
export interface MemberProvisioner {
  invite(person: {
    organizationId: string
    email: string
    name: string | null
    role: InvitationsTable['role']
  }): Promise<{ mailSent: boolean }>
  resend(person: { organizationId: string; email: string }): Promise<{ mailSent: boolean }>
}

/** Whether people of an organization have signed in at a provider of its own, so that passwords can go. */
export type OwnSignIn = (db: Db, organizationId: string) => Promise<boolean>

/** An organization's usage. Each source tells its share; they are added up. */
export type UsageSource = (db: Db, organizationId: string) => Promise<Partial<Usage>>

export interface Usage {
  documentsThisMonth: number
  storageBytes: number
}
