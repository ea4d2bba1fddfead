/** The tables this module owns. */

export interface AdminAccountsTable {
  id: string
  name: string
  email: string
  passwordHash: string
  active: boolean
  lastLoginAt: Date | null
  createdAt: Date
}

/** Only the hash of each link's token; a used one is gone. */
export interface AdminPasswordResetsTable {
  tokenHash: string
  adminId: string
  createdAt: Date
  expiresAt: Date
}

declare module '#kernel/db/tables.ts' {
  interface Tables {
    adminAccounts: AdminAccountsTable
    adminPasswordResets: AdminPasswordResetsTable
    adminSetup: { onlyRow: boolean; doneAt: Date }
  }
}
