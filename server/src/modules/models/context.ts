import type { Kernel } from '#kernel/kernel.ts'
import type { Meter } from '#kernel/meter.ts'
import type { Organizations } from '#modules/organizations/index.ts'
import type { ModelsConfig } from './config.ts'
import type { ConnectionSettings } from './connections/connection.ts'
import type { LiveConnections } from './connections/live-connections.ts'
import type { Driver } from './drivers/driver.ts'
import type { ModelSource } from './interface.ts'
import type { Catalog } from './records/catalog.ts'

export interface ModelsContext {
  kernel: Kernel<ModelsConfig>
  organizations: Pick<Organizations, 'grants' | 'requireWritable' | 'onChange'>
  catalog: Catalog
  connections: LiveConnections
  drivers: Record<ConnectionSettings['type'], Driver>
  /** Those of the environment, which are read-only. */
  fixed: readonly ConnectionSettings[]
  sources: ModelSource[]
  meter: Meter
  /** A request waits this long for a connection that does not answer. */
  maxWaitMs: number
}
