/** The way in which an invited person joins: by a link of ours, or through the company's own sign-in. */
import type { OrganizationsContext } from '../context.ts'
import type { MemberProvisioner } from '../ports.ts'
import type { OrganizationRow } from '../queries/organizations.ts'

export type JoinMethod =
  | { by: 'link' }
  /** The mail asks them to sign in; the invitation decides their role when they do. */
  | { by: 'company login' }
  /** They are created at the identity provider, which sends the mail itself. */
  | { by: 'provisioner'; provisioner: MemberProvisioner }

export const joinMethodOf = (
  { authProvider }: OrganizationRow,
  { provisioner }: Pick<OrganizationsContext, 'provisioner'>,
): JoinMethod => {
  if (authProvider === 'NATIVE') return { by: 'link' }
  return provisioner ? { by: 'provisioner', provisioner } : { by: 'company login' }
}
