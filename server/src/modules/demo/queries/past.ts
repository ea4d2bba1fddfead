/** SQL that moves what the demo made to the moments it tells of. All of it is of the demo's own organization. */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'

/** When a run was asked for. */
export interface Moment {
  runId: string
  at: Date
}

export const countBusyRunsUnscoped = async (db: Db, scopeId: string): Promise<{ all: number; busy: number }> => {
  const { rows } = await sql<{ all: string; busy: string }>`
    select count(*) as all, count(*) filter (where status in ('queued', 'running')) as busy
    from runs where scope_id = ${scopeId}`.execute(db)
  return { all: Number(rows[0]?.all), busy: Number(rows[0]?.busy) }
}

/** The runs that these events started, each a second after its event. */
export const listRunsOfEventsUnscoped = async (db: Db, eventIds: readonly string[]): Promise<Moment[]> => {
  const { rows } = await sql<Moment>`
    select r.id as run_id, e.published_at + interval '1 second' as at
    from runs r join events e on e.event_id = r.event_id where r.event_id = any(${eventIds}::uuid[])`.execute(db)
  return rows
}

/**
 * Runs, their steps, decisions and approvals. What took a time takes less, as if the run had been alone, and an answered
 * approval waits between ten minutes and nine hours.
 */
export const moveRunsUnscoped = async (db: Db, moments: readonly Moment[]): Promise<void> => {
  const ids = moments.map(({ runId }) => runId)
  const times = moments.map(({ at }) => at)
  const moved = (time: string) => sql`case when ${sql.ref(time)} < coalesce(m.answered_at, 'infinity')
    then m.at + (${sql.ref(time)} - m.created_at) * m.pace else m.answer_at + (${sql.ref(time)} - m.answered_at) * m.pace end`
  await sql`
    with asked as (
      select r.id, r.created_at, m.at, a.answered_at, ('x' || left(md5(r.input::text), 4))::bit(16)::integer as chance
      from unnest(${ids}::uuid[], ${times}::timestamptz[]) as m (run_id, at) join runs r on r.id = m.run_id
        left join approvals a on a.run_id = r.id
    ), m as materialized (
      select *, 0.02 + chance % 97 / 1000.0 as pace,
        case when answered_at is not null
          then least(at + make_interval(secs => 600 + chance % 32000), now() - interval '1 minute') end as answer_at
      from asked
    ), steps as (
      update run_steps s set started_at = ${moved('s.started_at')}, finished_at = ${moved('s.finished_at')}
      from m where s.run_id = m.id
    ), decided as (
      update event_deliveries d set decided_at = m.at from m where d.run_id = m.id
    ), answered as (
      update approvals a set asked_at = ${moved('a.asked_at')}, answered_at = m.answer_at from m where a.run_id = m.id
    )
    update runs r set created_at = m.at, started_at = ${moved('r.started_at')}, finished_at = ${moved('r.finished_at')},
      waiting_since = ${moved('r.waiting_since')},
      waited_ms = coalesce(extract(epoch from m.answer_at - m.at) * 1000, r.waited_ms)::bigint,
      deadline_at = case when r.finished_at is null then r.deadline_at else m.at + (r.deadline_at - r.created_at) end
    from m where r.id = m.id`.execute(db)
}

export interface Seen {
  userId: string
  joinedAt: Date
  seenAt: Date
}

/** When people joined and were here last. */
export const movePeopleUnscoped = async (db: Db, people: readonly Seen[]): Promise<void> => {
  for (const { userId, joinedAt, seenAt } of people)
    await db.updateTable('users').set({ createdAt: joinedAt, lastLoginAt: seenAt }).where('id', '=', userId).execute()
}

/** The organization and what it works with are as old as this, and were changed since. Not documents: their evidence has times. */
export const moveOriginsUnscoped = async (
  db: Db,
  organizationId: string,
  { createdAt, changedAt }: { createdAt: Date; changedAt: Date },
): Promise<void> => {
  await db.updateTable('organizations').set({ createdAt }).where('id', '=', organizationId).execute()
  const times = { createdAt, updatedAt: changedAt }
  await db.updateTable('knowledgeCollections').set(times).where('organizationId', '=', organizationId).execute()
  await db.updateTable('units').set({ createdAt }).where('organizationId', '=', organizationId).execute()
  await db.updateTable('prompts').set(times).where('organizationId', '=', organizationId).execute()
  const templates = db.updateTable('signingDocuments').where('kind', '=', 'TEMPLATE')
  await templates.set(times).where('scopeId', '=', organizationId).execute()
  await db.updateTable('workflows').set(times).where('scopeId', '=', organizationId).execute()
}

/** When the chat was, a reply was rated. */
export const moveRatingsUnscoped = async (db: Db, organizationId: string): Promise<void> => {
  await sql`
    update message_ratings r set rated_at = c.updated_at from chats c
    where c.id = r.chat_id and r.organization_id = ${organizationId}`.execute(db)
}
