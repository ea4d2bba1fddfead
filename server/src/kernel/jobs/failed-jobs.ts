/** The dead letters: jobs whose last attempt failed, kept 30 days with the error of that attempt. */
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { Page } from '../db/paging.ts'
import { deadLetterQueue } from './queues.ts'

export interface FailedJob {
  id: string
  job: string
  data: object
  error: string
  attempts: number
  enqueuedAt: Date
  failedAt: Date
}

/** Newest first. */
export const listFailedJobsUnscoped = async (
  db: Db,
  { page, limit }: Page,
): Promise<{ items: FailedJob[]; total: number }> => {
  const items = await sql<FailedJob>`
    select id, source_name as job, data, coalesce(source_output->>'message', source_output->'value'->>'message', '') as error,
      source_retry_count + 1 as attempts, source_created_on as enqueued_at, created_on as failed_at
    from pgboss.job where name = ${deadLetterQueue} and state = 'created'
    order by created_on desc, id limit ${limit} offset ${(page - 1) * limit}`.execute(db)
  const counted = await sql<{ total: number }>`
    select count(*) as total from pgboss.job where name = ${deadLetterQueue} and state = 'created'`.execute(db)
  return { items: items.rows, total: counted.rows[0]?.total ?? 0 }
}
