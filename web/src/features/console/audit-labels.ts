/** Labels for the actors and actions of the audit log. */
import type { AuditEntry } from '@chancery/contract/platform/platform.ts'

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

/** Verbs of actions, as something that was done. */
const pasts: Readonly<Record<string, string>> = {
  accept: 'Accepted',
  add: 'Added',
  admit: 'Added',
  answer: 'Answered',
  cancel: 'Cancelled',
  change: 'Changed',
  claim: 'Claimed',
  copy: 'Copied',
  create: 'Created',
  delete: 'Deleted',
  discard: 'Discarded',
  edit: 'Edited',
  invite: 'Invited',
  lift: 'Lifted',
  link: 'Linked',
  publish: 'Published',
  register: 'Registered',
  reject: 'Rejected',
  release: 'Released',
  remove: 'Removed',
  replay: 'Replayed',
  resend: 'Resent',
  reset: 'Reset',
  retry: 'Retried',
  revoke: 'Revoked',
  save: 'Saved',
  set: 'Set',
  start: 'Started',
  try: 'Tried',
  unpublish: 'Unpublished',
  update: 'Updated',
  verify: 'Verified',
}

/** Actions whose words the rule below doesn't find. */
const sentences: Readonly<Record<string, string>> = {
  'account.sign_in': 'Signed in',
  'account.sign_in_failed': 'Sign-in failed',
  'account.second_step_failed': 'Second step of a sign-in failed',
  'account.proof_failed': 'Identity check failed',
  'account.ban': 'Deactivated a user',
  'account.deactivate': 'Deactivated a member',
  'account.end_session': 'Ended a session',
  'account.lift_ban': 'Reactivated a user',
  'account.reactivate': 'Reactivated a member',
  'account.sign_out': 'Signed out',
  'account.expire': 'Deleted an expired account',
  'approval.expire': 'Deleted old approvals',
  'approval.retention': 'Changed how long approvals are kept',
  'audit.expire': 'Deleted old audit entries',
  'held_back.delete': 'Deleted held back work',
  'held_back.release': 'Released held back work',
  'organization.invite': 'Invited a member',
  'organization.settings': 'Changed organization settings',
  'platform.set_up': 'Set up the platform',
  'platform.sign_in': 'Signed in to the platform',
  'platform.deactivate_admin': 'Deactivated a platform admin',
  'platform.reactivate_admin': 'Reactivated a platform admin',
  'platform.sign_in_failed': 'Platform sign-in failed',
  'platform.second_step_failed': 'Second step of a platform sign-in failed',
  'platform.proof_failed': 'Identity check of a platform admin failed',
  'plugin.valves': 'Changed the settings of a plugin',
  'settings.take_back': 'Reset settings',
  'signing.key.delete': 'Deleted the signing key',
  'signing.key.save': 'Saved the signing key',
  'sso.sign_out': 'Signed out by single sign-on',
  'sso.sync': 'Synchronized members',
  'sso.sync_refused': 'Member synchronization refused',
  'workflow.rollback': 'Rolled back a workflow',
  'workflow.run_as': 'Changed who a workflow acts as',
  'workflow.snapshot': 'Saved a version of a workflow',
  'workflow.submit': 'Submitted a workflow for review',
}

/** `a workflow`, `an API key`, `tool servers`. */
const objectOf = (area: string): string => {
  const name = wordsOf(area).replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())
  if (/s$/.test(name)) return name
  return `${/^(?:[aeio]|API|LDAP|SSO)/.test(name) ? 'an' : 'a'} ${name}`
}

/** `run.start` → `Started a run`, `account.change_password` → `Changed password`. */
export function actionName(action: string): string {
  const [area = '', verb = ''] = action.split('.', 2)
  const [first = '', ...rest] = verb.split('_')
  const past = pasts[first]
  if (sentences[action] !== undefined) return sentences[action]
  if (past !== undefined) return `${past} ${rest.length > 0 ? rest.join(' ') : objectOf(area)}`
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
  'held_back',
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
