/**
 * `npm run chaos -- failover`: three database machines with Patroni behind HAProxy, as `deploy/ha` has them, and two
 * servers under load. The primary's machine dies, its standby's too, it freezes and is switched over, and all come back.
 * Then P1 to P3 are read from the tables, and a moment in between is restored from the backup.
 */
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { createDb, createPool, type Db } from '../../server/src/kernel/db/database.ts'
import { startSite } from '../../server/test/peers/site.ts'
import { checkInvariants } from '../invariants.ts'
import { createWorkflows, ingestKey, publish, signUp } from '../load.ts'
import { createPulse } from '../pulse.ts'
import { waitForRest } from '../rest.ts'
import { report, say } from '../say.ts'
import { startNodes } from '../start-nodes.ts'
import { checkHook, createHook, deliver } from '../traffic/webhooks.ts'
import { createBackups } from './backups.ts'
import { startDatabase } from './database.ts'
import { primaryDies, primaryFreezes, quietMs, standbyDies, switchOver } from './disturb.ts'
import { startPooler } from './pooler.ts'
import { listMissing } from './programs.ts'

export const usage = 'failover [--pooler]'

const nodeCount = 2
const publishers = 4
const restMs = 90_000

const readTime = async (db: Db): Promise<Date> => {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)
  return rows[0]?.now ?? new Date()
}

const listEvents = async (db: Db): Promise<Set<string>> => {
  const rows = await db.selectFrom('events').select('eventId').where('eventType', '=', 'start').execute()
  return new Set(rows.map(({ eventId }) => eventId))
}

const runSuite = async ({ isPooled }: { isPooled: boolean }): Promise<boolean> => {
  const logs = await mkdtemp(join(tmpdir(), 'chancery-chaos-logs-failover-'))
  const calls = createPulse()
  const site = await startSite((_request, response) => {
    calls.beat()
    response.end('ok')
  })
  say('three database machines start')
  const database = await startDatabase(logs)
  const env = { SVC_EVENT_API_KEY: ingestKey, OUTBOUND_ALLOWED_HOSTS: `127.0.0.1:${site.port}` }
  const skewsMs = Array.from({ length: nodeCount }, () => 0)
  const pooler = isPooled ? await startPooler(database.url, logs) : undefined
  const nodes = await startNodes({
    databaseUrl: pooler?.url ?? database.url,
    logs,
    skewsMs,
    env: { ...env, ...(pooler && { DATABASE_URL_DIRECT: database.url }) },
  })
  const pool = createPool({ connectionString: database.url, max: 2 })
  pool.on('error', () => undefined)
  const db = createDb(pool)
  const backups = createBackups(database, logs)
  try {
    const [address = ''] = await Promise.all(nodes.map((node) => node.ready()))
    say(`${nodeCount} nodes are ready`)
    const person = await signUp(address)
    const workflows = await createWorkflows(person, site.origin)
    const hook = await createHook(person)
    const events = createPulse()
    const accepted: string[] = []
    let isOver = false
    const addresses = () => nodes.flatMap((node) => node.address() ?? [])
    const publishing = publish(publishers, {
      addresses,
      random: Math.random,
      isOver: () => isOver,
      onAccepted: (id) => {
        accepted.push(id)
        events.beat()
      },
    })
    const delivering = deliver(hook, { addresses, random: Math.random, isOver: () => isOver })
    const scene = { database, pulses: { events, 'calls of runs': calls } }
    await backups.make()
    say('a backup is made')
    const late = [await primaryDies(scene), await standbyDies(scene)]
    const before = [...accepted]
    const moment = await readTime(db)
    late.push(await switchOver(scene))
    const after = accepted.length
    late.push(await primaryFreezes(scene))
    await sleep(quietMs)
    isOver = true
    const [published, delivered] = [await publishing, await delivering]
    const isResting = await waitForRest(db, restMs)
    say(`${published.accepted.length} events and ${delivered.length} webhooks accepted`)
    const onceCalls = site.requests.flatMap(({ path }) => (path.startsWith('/once/') ? path : []))
    const invariants = await checkInvariants(db, { ...published, workflows, onceCalls })
    for (const [breach, found] of await checkHook(db, delivered)) invariants.set(breach, found)
    invariants.set('P3: work that does not come to rest', isResting ? [] : [restMs])
    invariants.set('work that does not go on within 30 s', late.flat())
    const restored = await backups.readAt(moment, listEvents)
    say(`restored to the moment after ${before.length} events: ${restored.size} are there`)
    invariants.set(
      'event of before the moment that is missing in the restored database',
      before.filter((id) => !restored.has(id)),
    )
    invariants.set(
      'event of after the moment in the restored database',
      accepted.slice(after).filter((id) => restored.has(id)),
    )
    return report(invariants)
  } finally {
    for (const node of nodes) await node.stop()
    await pool.end()
    await pooler?.stop()
    await database.stop()
    await site.close()
    process.stdout.write(`\nWhat everybody logged: ${logs}\n`)
  }
}

/** Whether every promise was kept; undefined when the arguments make no sense. */
export const run = async (args: string[]): Promise<boolean | undefined> => {
  const [option, ...others] = args
  if (others.length > 0 || (option !== undefined && option !== '--pooler')) return undefined
  const missing = listMissing()
  if (missing.length === 0) return runSuite({ isPooled: option === '--pooler' })
  process.stderr.write(`Install what is missing first: apt-get install ${missing.join(' ')}.\n`)
  return false
}
