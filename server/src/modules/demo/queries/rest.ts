/**
 * Deletes what is left of an organization in every table, in the order that foreign keys ask for. Only of a demo: the
 * database refuses to delete evidence of any other. Its test counts the rows of all tables, so a new one is missed there.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import type { DemoPerson } from './demo.ts'

type Condition = (given: { organizationId: string; people: string[]; emails: string[] }) => RawBuilder<unknown>

const ofScope: Condition = ({ organizationId }) => sql`scope_id = ${organizationId}`
const ofOrganization: Condition = ({ organizationId }) => sql`organization_id = ${organizationId}`
const ofDocuments: Condition = ({ organizationId }) =>
  sql`document_id in (select id from signing_documents where scope_id = ${organizationId})`

const rest: readonly (readonly [table: string, which: Condition])[] = [
  ['signing_bulk_jobs', ofScope],
  ['signing_ai', ofScope],
  ['webhook_endpoints', ofScope],
  ['catalogs', ofScope],
  ['spaces', ofScope],
  ['http_credentials', ofScope],
  ['approval_retention', ofScope],
  ['usage_limits', ({ organizationId }) => sql`subject_id = ${organizationId}`],
  ['access_grants', ({ organizationId }) => sql`principal_id = ${organizationId}`],
  ['approvals', ofScope],
  ['runs', ofScope],
  ['event_deliveries', ofScope],
  ['event_dead_letters', ofScope],
  ['events', ofScope],
  ['signing_fields', ofDocuments],
  [
    'mail_outbox',
    ({ organizationId, emails }) => sql`created_at >= (
      select created_at from demo_organizations where organization_id = ${organizationId}) and (recipient = any(${emails}::text[])
      or recipient in (select r.email from signing_recipients r join signing_documents d on d.id = r.document_id
        where d.scope_id = ${organizationId}))`,
  ],
  ['signing_recipients', ofDocuments],
  ['signing_audit', ofDocuments],
  ['signing_files', ofDocuments],
  ['signing_originals', ofScope],
  ['seals', ofDocuments],
  ['signing_documents', ofScope],
  ['usage_days', ofOrganization],
  ['running_totals', ({ organizationId, people }) => sql`owner_id = any(${[organizationId, ...people]}::uuid[])`],
  ['request_keys', ({ people }) => sql`user_id = any(${people}::uuid[])`],
  ['organizations', ({ organizationId }) => sql`id = ${organizationId}`],
  [
    'audit_log',
    ({ organizationId, people }) =>
      sql`organization_id = ${organizationId} or actor_id = any(${people}::uuid[]) or target_id = any(${people}::text[])`,
  ],
]

export const deleteRestUnscoped = async (
  tx: Db,
  organizationId: string,
  people: readonly DemoPerson[],
): Promise<void> => {
  const emails = people.map(({ email }) => email)
  const given = { organizationId, people: people.map(({ id }) => id), emails }
  // The setting with which retention deletes events.
  await sql`select set_config('chancery.retention', 'on', true)`.execute(tx)
  for (const [table, which] of rest) await sql`delete from ${sql.table(table)} where ${which(given)}`.execute(tx)
}

export const listBlobKeysUnscoped = async (tx: Db, organizationId: string): Promise<string[]> => {
  const { rows } = await sql<{ key: string }>`
    select key from (
      select unnest(array[blob_key, upload_key]) as key from signing_originals where scope_id = ${organizationId}
      union select unnest(array[sealed_key, certificate_key]) from signing_documents where scope_id = ${organizationId}
    ) as keys where key is not null`.execute(tx)
  return rows.map(({ key }) => key)
}
