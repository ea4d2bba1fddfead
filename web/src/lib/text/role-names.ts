/** Labels for roles. */
import type { Role } from '@chancery/contract/accounts/accounts.ts'

export const roleNames: Record<Role, string> = {
  ROLE_USER: 'Member',
  ROLE_ORG_ADMIN: 'Organization admin',
  ROLE_PLATFORM_OWNER: 'Platform admin',
}
