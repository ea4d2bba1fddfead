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

declare module '#kernel/db/tables.ts' {
  interface Tables {
    adminAccounts: AdminAccountsTable
    adminSetup: { onlyRow: boolean; doneAt: Date }
  }
}
