/** How somebody who is invited comes in: by a link of ours, or through the company's own login. */
import type { OrganizationsContext } from './context.ts'
import type { MemberProvisioner } from './ports.ts'
import type { OrganizationRow } from './queries/organizations.ts'

export type JoinMethod =
  | { by: 'link' }
  /** They are told to sign in; what they were invited as waits for them. */
  | { by: 'company login' }
  /** They are created at the other side, which writes to them itself. */
  | { by: 'provisioner'; provisioner: MemberProvisioner }

export const joinMethodOf = (
  { authProvider }: OrganizationRow,
  { provisioner }: Pick<OrganizationsContext, 'provisioner'>,
): JoinMethod => {
  if (authProvider === 'NATIVE') return { by: 'link' }
  return provisioner ? { by: 'provisioner', provisioner } : { by: 'company login' }
}
