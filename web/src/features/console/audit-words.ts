/** Actors of the audit log as people say them. */
import type { AuditEntry } from '@chancery/contract/platform.ts'

const kinds: Record<AuditEntry['actor']['kind'], string> = {
  user: 'A user',
  admin: 'An admin',
  system: 'Chancery itself',
  anonymous: 'Somebody not signed in',
}

export const actorName = (actor: AuditEntry['actor']): string => actor.name ?? kinds[actor.kind]
