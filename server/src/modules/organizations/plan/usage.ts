/** The used part of an organization's plan. */
import type { Db } from '#kernel/db/database.ts'
import type { OrganizationsContext } from '../context.ts'
import { countOpenInvitationsUnscoped } from '../queries/invitations.ts'
import { countActive } from './seats.ts'

export const readUsage = async (context: OrganizationsContext, db: Db, id: string) => {
  const [memberCount, invited, ...shares] = await Promise.all([
    countActive(context, db, id),
    countOpenInvitationsUnscoped(db, id, context.clock.now()),
    ...context.usageSources.map((read) => read(db, id)),
  ])
  const sum = (of: 'documentsThisMonth' | 'storageBytes') =>
    shares.reduce((total, share) => total + (share[of] ?? 0), 0)
  return {
    memberCount,
    usage: {
      members: memberCount + invited,
      documentsThisMonth: sum('documentsThisMonth'),
      storageBytes: sum('storageBytes'),
    },
  }
}
