/** The quotas of this module, and whose plan decides about everybody's. */
import type { Kernel } from '#kernel/kernel.ts'
import { standingTopic } from './company/edit-organization.ts'
import { invitations, invitationsToAddress } from './invitations/invitation-mail.ts'
import { findOrganizationUnscoped } from './queries/organizations.ts'

export const declareQuotas = ({ quotas, signals }: Pick<Kernel, 'quotas' | 'signals'>): void => {
  quotas.declare(invitations)
  quotas.declare(invitationsToAddress)
  quotas.registerPlans(async (db, scopeId) => (await findOrganizationUnscoped(db, scopeId))?.plan)
  signals.on(standingTopic, quotas.forgetPlans)
}
