/** All SQL for `usage_days`. */
import { type SqlBool, sql } from 'kysely'
import { isAmong } from '#kernel/db/among.ts'
import type { Db } from '#kernel/db/database.ts'
import type { Actor, PrincipalKind } from '#kernel/http/actor.ts'
import { privateKeyId, type UsageEntry } from '../pending-usage.ts'

/** Adds to the stored sums in one statement, ordered by key so that two nodes cannot deadlock. */
export const addUsageUnscoped = async (db: Db, entries: readonly UsageEntry[]): Promise<void> => {
  const column = <Name extends keyof UsageEntry>(name: Name): UsageEntry[Name][] => entries.map((entry) => entry[name])
  await sql`
    insert into usage_days (day, principal_kind, principal_id, organization_id, key_id, model,
      requests, failures, prompt_tokens, completion_tokens)
    select * from unnest(${column('day')}::date[], ${column('principalKind')}::text[],
      ${column('principalId')}::uuid[], ${column('organizationId')}::uuid[], ${column('keyId')}::uuid[],
      ${column('model')}::text[], ${column('requests')}::bigint[], ${column('failures')}::bigint[],
      ${column('promptTokens')}::bigint[], ${column('completionTokens')}::bigint[]
    ) as used (day, principal_kind, principal_id, organization_id, key_id, model) order by 1, 3, 4, 5, 6
    on conflict (day, principal_id, organization_id, key_id, model) do update set
      requests = usage_days.requests + excluded.requests,
      failures = usage_days.failures + excluded.failures,
      prompt_tokens = usage_days.prompt_tokens + excluded.prompt_tokens,
      completion_tokens = usage_days.completion_tokens + excluded.completion_tokens`.execute(db)
}

export interface Sum {
  id: string
  tokens: number
}

interface Range {
  /** The first day counted. */
  from: string
  /** The first day not counted. */
  before: string
}

const tokens = sql<number>`sum(prompt_tokens + completion_tokens)::bigint`.as('tokens')

export const sumByPrincipalUnscoped = (db: Db, ids: readonly string[], { from, before }: Range): Promise<Sum[]> =>
  db
    .selectFrom('usageDays')
    .select(['principalId as id', tokens])
    .where(isAmong('principalId', ids))
    .where('day', '>=', from)
    .where('day', '<', before)
    .groupBy('principalId')
    .execute()

export const sumByOrganizationUnscoped = (db: Db, ids: readonly string[], { from, before }: Range): Promise<Sum[]> =>
  db
    .selectFrom('usageDays')
    .select(['organizationId as id', tokens])
    .where(isAmong('organizationId', ids))
    .where('keyId', '<>', privateKeyId)
    .where('day', '>=', from)
    .where('day', '<', before)
    .groupBy('organizationId')
    .execute()

/** By owner and key: the index is on the owner. */
export const sumByKeyUnscoped = (
  db: Db,
  keys: readonly { id: string; ownerId: string }[],
  { from, before }: Range,
): Promise<Sum[]> =>
  db
    .selectFrom('usageDays')
    .select(['keyId as id', tokens])
    .where(
      isAmong(
        'principalId',
        keys.map(({ ownerId }) => ownerId),
      ),
    )
    .where(
      isAmong(
        'keyId',
        keys.map(({ id }) => id),
      ),
    )
    .where('day', '>=', from)
    .where('day', '<', before)
    .groupBy('keyId')
    .execute()

export interface UsageFilter {
  scope: 'own' | 'organization' | 'platform'
  from: string
  to: string
  model?: string | undefined
}

export type UsageGroup = 'day' | 'model' | 'principalId' | 'keyId'

export interface UsageSum {
  group: string
  principalKind: PrincipalKind
  requests: number
  failures: number
  promptTokens: number
  completionTokens: number
}

const within = (actor: Actor, scope: UsageFilter['scope']) => {
  if (scope === 'platform') return sql<SqlBool>`true`
  return scope === 'own'
    ? sql<SqlBool>`principal_id = ${actor.id}`
    : sql<SqlBool>`organization_id = ${actor.organizationId}`
}

/** Scoped by the actor. The caller has checked that the actor may use this scope. */
export const sumUsage = (db: Db, actor: Actor, filter: UsageFilter & { group: UsageGroup }): Promise<UsageSum[]> => {
  const { scope, from, to, model, group } = filter
  const column = sql.ref<string>(group)
  const rows = db
    .selectFrom('usageDays')
    .select([
      sql<string>`${column}::text`.as('group'),
      sql<PrincipalKind>`min(principal_kind)`.as('principalKind'),
      sql<number>`sum(requests)::bigint`.as('requests'),
      sql<number>`sum(failures)::bigint`.as('failures'),
      sql<number>`sum(prompt_tokens)::bigint`.as('promptTokens'),
      sql<number>`sum(completion_tokens)::bigint`.as('completionTokens'),
    ])
    .where(within(actor, scope))
    .where('day', '>=', from)
    .where('day', '<=', to)
    .groupBy(column)
  return (model === undefined ? rows : rows.where('model', '=', model)).execute()
}
