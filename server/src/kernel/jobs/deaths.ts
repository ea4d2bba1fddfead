/**
 * All SQL about attempts that ended with their server. pg-boss counts an attempt when it is claimed and marks it when
 * its heartbeat lapses; that mark is counted here, by the job's content, so that a sweep which enqueues the same work
 * anew begins no new count.
 */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { maxClaims } from '../held-back/held-back.ts'
import { deadLetterQueue } from './queues.ts'

interface JobDeathsTable {
  job: string
  digest: string
  data: object
  singletonKey: string | null
  deaths: number
  waiting: string[]
}

declare module '#kernel/db/tables.ts' {
  interface Tables {
    jobDeaths: JobDeathsTable
  }
}

/** One piece of work, however often it is enqueued. */
export interface WorkKey {
  job: string
  digest: string
}

/** The data comes from a `jsonb` column, which has one order of keys for equal contents. */
export const workKeyOf = (job: string, data: object): WorkKey => ({
  job,
  digest: createHash('sha256').update(JSON.stringify(data)).digest('hex').slice(0, 32),
})

const lapsed = sql.lit('job heartbeat timeout')

const ofWork = (db: Db, { job, digest }: WorkKey) =>
  db.selectFrom('jobDeaths').where('job', '=', job).where('digest', '=', digest)

export const findDeaths = async (db: Db, key: WorkKey): Promise<number> =>
  (await ofWork(db, key).select('deaths').executeTakeFirst())?.deaths ?? 0

/** True while another job of the same content is worked on, or died and nobody has counted that yet. */
export const isTriedElsewhere = async (db: Db, { job, digest }: WorkKey, jobId: string): Promise<boolean> => {
  const { rows } = await sql`
    select from pgboss.job j join job_deaths d on d.job = j.name and d.data = j.data
    where d.job = ${job} and d.digest = ${digest} and j.name = ${job} and j.id <> ${jobId} and j.id <> all(d.waiting)
      and (j.state = 'active' or (j.state = 'retry' and j.output->'value'->>'message' = ${lapsed}))
    limit 1`.execute(db)
  return rows.length > 0
}

interface Dead {
  id: string
  data: object
  singletonKey: string | null
}

/** One that was still waiting for its turn died with the others and isn't to blame. */
const countDeath = async (tx: Db, { job, digest }: WorkKey, { id, data, singletonKey }: Dead): Promise<void> => {
  await sql`
    insert into job_deaths as known (job, digest, data, singleton_key, deaths)
    values (${job}, ${digest}, ${JSON.stringify(data)}::jsonb, ${singletonKey}, 1)
    on conflict (job, digest) do update set
      deaths = known.deaths + (not ${id}::uuid = any(known.waiting))::int,
      waiting = array_remove(known.waiting, ${id}::uuid)`.execute(tx)
}

/** Counts the attempt before this one, if it ended with its server. */
export const countLastAttempt = async (db: Db, key: WorkKey, jobId: string): Promise<void> => {
  const { rows } = await sql<Dead>`
    select id, data, singleton_key from pgboss.job
    where name = ${key.job} and id = ${jobId} and output->'value'->>'message' = ${lapsed}`.execute(db)
  const [dead] = rows
  if (dead) await countDeath(db, key, dead)
}

/** From before it waits for its turn until it begins. */
export const markWaiting = async (db: Db, { job, digest }: WorkKey, jobId: string): Promise<void> => {
  await sql`
    update job_deaths set waiting = array_append(array_remove(waiting, ${jobId}::uuid), ${jobId}::uuid)
    where job = ${job} and digest = ${digest}`.execute(db)
}

export const markBegun = async (db: Db, { job, digest }: WorkKey, jobId: string): Promise<void> => {
  await sql`
    update job_deaths set waiting = array_remove(waiting, ${jobId}::uuid)
    where job = ${job} and digest = ${digest}`.execute(db)
}

/** Of held back work they stay, since its data is with them. */
export const forgetSuspicion = async (db: Db, { job, digest }: WorkKey): Promise<void> => {
  const suspected = db.deleteFrom('jobDeaths').where('job', '=', job).where('digest', '=', digest)
  await suspected.where('deaths', '<', maxClaims).execute()
}

/** Returns what is needed to enqueue the work anew. */
export const forgetDeaths = (db: Db, { job, digest }: WorkKey): Promise<JobDeathsTable | undefined> =>
  db.deleteFrom('jobDeaths').where('job', '=', job).where('digest', '=', digest).returningAll().executeTakeFirst()

const atOnce = 100

interface DeadLetter extends Dead {
  letterId: string
  job: string
}

/** Dead letters whose last attempt ended with its server, and which nobody has counted. */
export const lockUncountedLetters = async (tx: Db): Promise<DeadLetter[]> => {
  const { rows } = await sql<DeadLetter>`
    select id as letter_id, source_id as id, source_name as job, data, singleton_key from pgboss.job
    where name = ${deadLetterQueue} and state = 'created' and source_output->'value'->>'message' = ${lapsed}
    order by created_on limit ${atOnce} for update skip locked`.execute(tx)
  return rows
}

export const countLetter = async (tx: Db, letter: DeadLetter): Promise<number> => {
  const key = workKeyOf(letter.job, letter.data)
  await countDeath(tx, key, letter)
  await sql`
    update pgboss.job set source_output = ${JSON.stringify({ message: 'The server ended while it ran.' })}::jsonb
    where name = ${deadLetterQueue} and id = ${letter.letterId}`.execute(tx)
  return findDeaths(tx, key)
}

export const deleteLetter = async (tx: Db, id: string): Promise<void> => {
  await sql`delete from pgboss.job where name = ${deadLetterQueue} and id = ${id}`.execute(tx)
}
