/** The role and the groups that a provider's claims give a member, at each sign-in. */
import type { Origin } from '#kernel/audit/audit.ts'
import type { UserRow } from '#modules/accounts/index.ts'
import { claimValues } from './claims.ts'
import type { ProvidersContext } from './context.ts'
import type { ProviderRow } from './queries.ts'

interface Login {
  provider: ProviderRow
  claims: Record<string, unknown>
  from: Origin
}

export const applyMapping = async (
  { organizations }: Pick<ProvidersContext, 'organizations'>,
  user: UserRow,
  { provider: { organizationId, mapping, name }, claims, from }: Login,
): Promise<UserRow> => {
  await place()
  if (mapping.roleClaim === '') return user
  const values = claimValues(claims, mapping.roleClaim)
  const role = mapping.adminValues.some((value) => values.has(value)) ? 'ROLE_ORG_ADMIN' : 'ROLE_USER'
  return organizations.applyRoleUnscoped(user, { organizationId, role, from, reason: `identity provider ${name}` })

  async function place(): Promise<void> {
    if (mapping.groupsClaim === '' || mapping.groups.length === 0) return
    const has = claimValues(claims, mapping.groupsClaim)
    const join = new Set(mapping.groups.filter(({ value }) => has.has(value)).map(({ groupId }) => groupId))
    const leave = mapping.groups.map(({ groupId }) => groupId).filter((id) => !join.has(id))
    await organizations.units.placeUnscoped({ organizationId, userId: user.id, join: [...join], leave, from })
  }
}
