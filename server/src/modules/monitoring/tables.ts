/** The table this module owns. */
import type { JSONColumnType } from 'kysely'
import type { Figures } from './status/measures.ts'

interface StatusSamplesTable {
  stepSec: number
  at: Date
  /** The nil UUID for the whole instance. */
  nodeId: string
  minutes: number
  counts: JSONColumnType<Figures>
  levels: JSONColumnType<Figures>
}

declare module '#kernel/db/tables.ts' {
  interface Tables {
    statusSamples: StatusSamplesTable
  }
}
