/**
 * Invites somebody into a company that signs in at the provider: creates them there and has the provider write to them.
 * Safe to repeat. A mail that fails leaves the person created; sending it again is all that is missing.
 */
import { AppError } from '#kernel/errors.ts'
import type { MemberProvisioner } from '#modules/organizations/index.ts'
import type { SsoContext } from './context.ts'
import { type DirectoryApi, type DirectoryPerson, tenantAttribute } from './directory/api.ts'
import { managedRoles } from './managed-roles.ts'
import { insertProvisionedUnscoped } from './queries.ts'

export const createProvisioner = (context: SsoContext, directory: DirectoryApi): MemberProvisioner => ({
  invite: async ({ organizationId, email, name, role }) => {
    const [firstName = '', ...rest] = (name ?? '').split(' ').filter(Boolean)
    const created = await directory.create({ email, firstName, lastName: rest.join(' '), organizationId })
    const id = created ?? (await getOwn(directory, { organizationId, email })).id
    const { db, clock } = context
    const { issuer } = context.settings
    await insertProvisionedUnscoped(db, { issuer, subject: id, organizationId, createdAt: clock.now() })
    await directory.setRole(id, role, managedRoles)
    return { mailSent: await sendWelcome(directory, id) }
  },
  resend: async ({ organizationId, email }) => {
    const { id } = await getOwn(directory, { organizationId, email })
    return { mailSent: await sendWelcome(directory, id) }
  },
})

/** Somebody there already. They may be invited again by their own company, never taken over by another. */
const getOwn = async (
  directory: DirectoryApi,
  { organizationId, email }: { organizationId: string; email: string },
): Promise<DirectoryPerson> => {
  const person = await directory.findByEmail(email)
  if (person?.attributes?.[tenantAttribute]?.includes(organizationId)) return person
  throw new AppError('already_member', { detail: 'The identity provider knows this address as somebody else’s.' })
}

const sendWelcome = async (directory: DirectoryApi, id: string): Promise<boolean> => {
  try {
    return await directory.sendWelcome(id)
  } catch (problem) {
    if (problem instanceof AppError && problem.code === 'idp_unavailable') return false
    throw problem
  }
}
