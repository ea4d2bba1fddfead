/** Labels for the actors of the audit log. */
import type { AuditEntry } from '@chancery/contract/platform.ts'

const kinds: Record<AuditEntry['actor']['kind'], string> = {
  user: 'User',
  admin: 'Admin',
  system: 'System',
  anonymous: 'Not signed in',
}

export const actorName = (actor: AuditEntry['actor']): string => actor.name ?? kinds[actor.kind]
