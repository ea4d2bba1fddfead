/** A connection as administrators see it: everything but the key. */
import type { Connection } from '@chancery/contract/models/connections.ts'
import { unixSeconds } from '#kernel/clock.ts'
import { problemIn } from '../stream/provider-errors.ts'
import type { ConnectionSettings } from './connection.ts'
import type { LiveConnection } from './live-connection.ts'

export const presentConnection = (settings: ConnectionSettings, live: LiveConnection | undefined): Connection => ({
  id: settings.id,
  type: settings.type,
  name: settings.name,
  url: settings.url,
  has_key: settings.key !== null,
  prefix_id: settings.prefixId,
  model_ids: settings.modelIds === null ? null : [...settings.modelIds],
  tags: [...settings.tags],
  enabled: settings.enabled,
  timeout_sec: settings.timeoutSec,
  prices: { ...settings.prices },
  source: settings.source,
  health: healthOf(live),
  created_at: seconds(settings.createdAt),
  updated_at: seconds(settings.updatedAt),
})

const seconds = (at: Date | null): number | null => (at === null ? null : unixSeconds(at))

const healthOf = (live: LiveConnection | undefined): Connection['health'] => {
  const problem = live?.health.problem()
  return {
    state: live === undefined ? 'unknown' : stateOf(live),
    problem: problem === undefined ? null : problemIn(problem),
    checked_at: seconds(live?.list.checkedAt ?? null),
    model_count: live?.serves().length ?? 0,
  }
}

const stateOf = (live: LiveConnection): Connection['health']['state'] => {
  if (live.health.isPaused()) return 'resting'
  if (live.health.problem() !== undefined) return 'failing'
  return live.list.checkedAt === null ? 'unknown' : 'well'
}
