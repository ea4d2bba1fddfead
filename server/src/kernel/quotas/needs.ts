/** The parts of the kernel that quotas are built on. */
import type { Clock } from '../clock.ts'
import type { Checks } from '../db/checks.ts'
import type { Db } from '../db/database.ts'
import type { Signals } from '../db/signals.ts'
import type { Metrics } from '../metrics/index.ts'
import type { Tasks } from '../tasks.ts'

export interface QuotaNeeds {
  checks: Checks
  clock: Clock
  db: Db
  metrics: Metrics
  signals: Signals
  tasks: Tasks
}
