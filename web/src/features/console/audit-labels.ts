/** Labels for the actors and actions of the audit log. */
import type { AuditEntry } from '@chancery/contract/platform.ts'

const kinds: Record<AuditEntry['actor']['kind'], string> = {
  user: 'User',
  admin: 'Admin',
  system: 'System',
  anonymous: 'Not signed in',
}

export const actorName = (actor: AuditEntry['actor']): string => actor.name ?? kinds[actor.kind]

/** `api_key` → `API key`, `change_password` → `Change password`. */
export function wordsOf(name: string): string {
  const text = name.replaceAll('_', ' ').replace(/^(api|sso|ldap)\b/, (short) => short.toUpperCase())
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** `account.change_password` → `Account: change password`. */
export function actionName(action: string): string {
  const [area = '', verb = ''] = action.split('.', 2)
  return verb === '' ? wordsOf(area) : `${wordsOf(area)}: ${verb.replaceAll('_', ' ')}`
}

/** Several saves of one editing session are one entry; null for any other. */
export function editingSession({ detail }: AuditEntry): { saves: number; lastAt: Date } | null {
  const { saves, last_saved_at: lastAt } = detail
  return typeof saves === 'number' && typeof lastAt === 'string' ? { saves, lastAt: new Date(lastAt) } : null
}

/** The parts of actions before their dot, for the filter. */
export const areas = [
  'account',
  'api_key',
  'approval',
  'catalog',
  'connection',
  'event',
  'ldap',
  'model',
  'organization',
  'platform',
  'plugin',
  'run',
  'settings',
  'signing',
  'space',
  'sso',
  'tool_servers',
  'trigger',
  'usage',
  'webhook',
  'workflow',
] as const
