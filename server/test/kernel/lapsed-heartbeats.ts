/** What a node finds half a minute after another died, at once. */
import { sql } from 'kysely'
import { PgBoss } from 'pg-boss'
import type { JobNodes } from './job-nodes.ts'

type Nodes = Pick<JobNodes, 'db' | 'url'>

/** Moves the dead worker's last heartbeat into the past, instead of waiting twenty seconds for it to expire. */
export const letTheHeartbeatLapse = ({ db }: Nodes) =>
  sql`update pgboss.job set heartbeat_on = heartbeat_on - interval '1 minute' where state = 'active'`.execute(db)

/** Nodes look for dead workers once a second between them: the next one to try may look at once. */
const letTheNextLook = ({ db }: Nodes) =>
  sql`update pgboss.queue set monitor_claim_on = monitor_claim_on - interval '1 minute'`.execute(db)

/** Looks for dead workers as every node does, and ends when it has looked. */
export const lookForDeadWorkers = async (nodes: Nodes): Promise<void> => {
  const boss = new PgBoss({ connectionString: nodes.url, supervise: false, schedule: false, migrate: false, max: 1 })
  await boss.start()
  await letTheNextLook(nodes)
  await boss.supervise('greet')
  await boss.stop({ graceful: false })
  await letTheNextLook(nodes)
}
