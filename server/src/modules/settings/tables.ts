/** The table this module owns. */

export interface SettingsTable {
  key: string
  /** As the setting's schema has it; of a secret, the sealed text. */
  value: unknown
  updatedAt: Date
  updatedBy: string | null
}

declare module '#kernel/db/tables.ts' {
  interface Tables {
    settings: SettingsTable
  }
}
