/** A platform admin as other modules see one. */
import type { Principal } from '#kernel/http/actor.ts'
import type { AdminRow } from './queries.ts'

export const asAdminPrincipal = ({ id, name, email, active, createdAt }: AdminRow): Principal => ({
  kind: 'admin',
  id,
  name,
  email,
  role: 'ROLE_PLATFORM_OWNER',
  organizationId: null,
  status: active ? 'ACTIVE' : 'DEACTIVATED',
  loginOtp: false,
  createdAt,
})
