/** All SQL for `scim_settings`, and for what the settings page counts. */

import type { Insertable, Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import type { Directory } from '../context.ts'
import type { ScimSettingsTable } from '../tables.ts'

export type SettingsRow = Selectable<ScimSettingsTable>

export const findSettings = (
  db: Db,
  { organizationId }: Pick<Directory, 'organizationId'>,
): Promise<SettingsRow | undefined> =>
  db.selectFrom('scimSettings').selectAll().where('organizationId', '=', organizationId).executeTakeFirst()

export const saveSettings = (
  db: Db,
  { organizationId }: Pick<Directory, 'organizationId'>,
  change: Omit<Insertable<ScimSettingsTable>, 'organizationId'>,
) =>
  db
    .insertInto('scimSettings')
    .values({ organizationId, ...change })
    .onConflict((conflict) => conflict.column('organizationId').doUpdateSet(change))
    .execute()

/** False where it was held already. */
export const holdDeactivations = async (
  db: Db,
  { organizationId }: Pick<Directory, 'organizationId'>,
  at: Date,
): Promise<boolean> => {
  const { rows } = await sql`
    insert into scim_settings (organization_id, held_at) values (${organizationId}, ${at})
    on conflict (organization_id) do update set held_at = excluded.held_at where scim_settings.held_at is null
    returning 1`.execute(db)
  return rows.length > 0
}

export const countLinked = async (
  db: Db,
  { organizationId }: Pick<Directory, 'organizationId'>,
): Promise<{ people: number; groups: number }> => {
  const { rows } = await sql<{ people: number; groups: number }>`
    select
      (select count(*)::int from scim_people where organization_id = ${organizationId} and removed_at is null) as people,
      (select count(*)::int from scim_groups where organization_id = ${organizationId}) as groups`.execute(db)
  return rows[0] ?? { people: 0, groups: 0 }
}
