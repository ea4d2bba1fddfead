/** One statement for many credentials that were shown earlier: which of them would be refused, or mean less, today? */

import { preparedText } from '#kernel/db/prepared.ts'
import type { PrincipalKind } from '#kernel/http/actor.ts'

/** SQL with the columns `id`, `role` and `organization_id`: the principals of a kind that may act. */
export type ActivePrincipals = string

/** People who may act as far as their own row says. Modules above narrow it down. */
export const activeUsers: ActivePrincipals = `select id, role, organization_id from users where status = 'ACTIVE'`

/** Whose it is never changes. */
const isLive = (alias: string): string =>
  `${alias}.revoked_at is null and (${alias}.expires_at is null or ${alias}.expires_at > $7)`

const isUnchanged = ([kind, active]: [PrincipalKind, ActivePrincipals]): string =>
  `select 1 from (${active}) as p where held.kind = '${kind}' and p.id = held.principal_id
   and p.role = held.role and p.organization_id is not distinct from held.organization_id`

/** Each credential is looked up by its key, so the statement costs what is held and not what there is. */
export const findEndedStatement = (active: ReadonlyMap<PrincipalKind, ActivePrincipals>) =>
  preparedText<{ position: number }>(`
    select held.position::int as position
    from unnest($1::uuid[], $2::text[], $3::text[], $4::uuid[], $5::text[], $6::uuid[]) with ordinality
      as held (session_id, key_hash, kind, principal_id, role, organization_id, position)
    where not exists (
        select 1 from sessions as s where s.id = held.session_id and ${isLive('s')}
        union all
        select 1 from api_keys as k where k.key_hash = held.key_hash and ${isLive('k')})
      or not exists (${[...active].map(isUnchanged).join(' union all ')})`)
