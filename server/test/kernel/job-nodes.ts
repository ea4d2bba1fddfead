/** Job nodes on one cloned database: each with its own pool, as separate processes would have. */
import { sql } from 'kysely'
import type pg from 'pg'
import { afterAll, afterEach, beforeEach } from 'vitest'
import { createDb, type Db } from '#kernel/db/database.ts'
import type { Tables } from '#kernel/db/tables.ts'
import type { HeldBack } from '#kernel/held-back/held-back.ts'
import type { createJobs, JobDefinition, Jobs } from '#kernel/jobs/jobs.ts'
import { createLog } from '#kernel/log.ts'
import { type ClonedDatabase, cloneDatabase } from '#test/harness/database.ts'
import { jobsOn } from './jobs-on.ts'

type Timing = NonNullable<Parameters<typeof createJobs>[0]['timing']>

interface NodeOptions {
  role?: 'all' | 'api' | 'worker'
  timing?: Timing
}

export interface JobNodes {
  readonly url: string
  readonly db: Db
  readonly logLines: string[]
  openPool(max: number): pg.Pool
  /** Creates a node without starting it. */
  make(jobs: readonly JobDefinition[], options?: NodeOptions): Jobs
  start(jobs: readonly JobDefinition[], options?: NodeOptions): Promise<Jobs>
  /** States of the jobs of a name, oldest first. */
  states(name: string): Promise<string[]>
  /** Of the node that was made last. */
  readonly heldBack: HeldBack
}

const quick: Timing = { pollSec: 0.1, cronSec: 1, superviseSec: 1, nextSlotSec: 0.02 }

interface Options {
  /** One database for the whole file: after each test, the jobs and these tables are emptied. */
  emptied?: readonly (keyof Tables)[]
}

/** Call at the top of a test file: a fresh database for each test, everything stopped after it. */
export const useJobNodes = ({ emptied }: Options = {}): JobNodes => {
  let database: ClonedDatabase | undefined
  const current = (): ClonedDatabase => {
    if (!database) throw new Error('there is a database only while a test runs')
    return database
  }
  let db: Db
  const logLines: string[] = []
  let heldBack: HeldBack | undefined
  const nodes: { jobs: Jobs; pool: pg.Pool }[] = []

  beforeEach(async () => {
    logLines.length = 0
    if (database) return
    database = await cloneDatabase()
    db = createDb(database.openPool(2))
  })
  const drop = async () => {
    if (!database) return
    await db.destroy()
    await database.drop()
    database = undefined
  }
  afterEach(async () => {
    for (const { jobs, pool } of nodes.splice(0)) {
      await jobs.stop({ drainMs: 50 })
      await pool.end()
    }
    if (!emptied) return drop()
    await sql`delete from pgboss.job`.execute(db)
    for (const table of emptied) await db.deleteFrom(table).execute()
  })
  afterAll(drop)

  const make: JobNodes['make'] = (definitions, { role = 'all', timing = quick } = {}) => {
    const pool = current().openPool(4)
    const log = createLog('info', { write: (line) => logLines.push(line) })
    const made = jobsOn(pool, { log, role, timing })
    const { jobs } = made
    heldBack = made.heldBack
    for (const job of definitions) jobs.register(job)
    nodes.push({ jobs, pool })
    return jobs
  }
  return {
    get url() {
      return current().url
    },
    get db() {
      return db
    },
    get heldBack() {
      if (!heldBack) throw new Error('there is one once a node was made')
      return heldBack
    },
    logLines,
    openPool: (max) => current().openPool(max),
    make,
    async start(definitions, options) {
      const jobs = make(definitions, options)
      await jobs.start()
      return jobs
    },
    async states(name) {
      const query = sql<{ state: string }>`select state from pgboss.job where name = ${name} order by created_on`
      return (await query.execute(db)).rows.map((row) => row.state)
    },
  }
}
