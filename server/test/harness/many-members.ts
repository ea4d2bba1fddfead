/** Fills an organization with people by SQL, for what must hold however many there are. */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'

interface Crowd {
  count?: number
  /** Before any other name by default. */
  name?: string
  isActive?: boolean
}

export const addMembers = async (
  db: Db,
  organizationId: string | null,
  { count = 5100, name = 'Aa', isActive = true }: Crowd = {},
): Promise<void> => {
  await sql`
    insert into users (id, name, email, role, organization_id, email_proven_at, created_at, deactivated_at)
    select id, ${name} || ' ' || lpad(number::text, 5, '0'), id || '@crowd.test', 'ROLE_USER', ${organizationId}::uuid,
      now(), now(), case when ${isActive} then null else now() end
    from (select gen_random_uuid() as id, number from generate_series(1, ${count}::int) as number) as crowd`.execute(db)
}

export const addInvitations = async (db: Db, organizationId: string | null, count = 5100): Promise<void> => {
  await sql`
    insert into invitations (id, organization_id, email, role, token_hash, mail_sent, invited_by, expires_at, created_at)
    select id, ${organizationId}::uuid, 'x' || lpad(number::text, 5, '0') || '@crowd.test', 'ROLE_USER', id::text, true,
      id, now() + interval '7 days', now() - make_interval(secs => number)
    from (select gen_random_uuid() as id, number from generate_series(1, ${count}::int) as number) as crowd`.execute(db)
}
