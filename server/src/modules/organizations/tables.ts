/** The table this module owns. */

export interface OrganizationsTable {
  id: string
  name: string
  /** A short handle for people; unique, and free to change. */
  code: string
  authProvider: 'NATIVE' | 'SSO'
  loginOtp: boolean
  plan: string
  trialEndsAt: Date | null
  maxMembers: number
  maxDocumentsPerMonth: number
  maxStorageBytes: number
  createdAt: Date
}

declare module '#kernel/db/tables.ts' {
  interface Tables {
    organizations: OrganizationsTable
  }
}
