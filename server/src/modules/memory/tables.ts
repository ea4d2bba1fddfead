/** The tables this module owns. */
export interface MemoriesTable {
  id: string
  userId: string
  content: string
  source: 'person' | 'model'
  createdAt: Date
  updatedAt: Date
}

export interface MemorySwitchesTable {
  userId: string
  enabled: boolean
}

declare module '#kernel/db/tables.ts' {
  interface Tables {
    memories: MemoriesTable
    memorySwitches: MemorySwitchesTable
  }
}
