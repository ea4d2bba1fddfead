/** The only way from rows to JSON. */
import type {
  AdminAccount,
  AuditEntry,
  UserRow as ConsoleUser,
  OutboxMailHead,
  HeldItem as ShownHeldItem,
  SignInEntry,
} from '@chancery/contract/platform/platform.ts'
import { deviceName } from '@chancery/contract/reading/device-name.ts'
import type { z } from 'zod'
import type { AuditTable } from '#kernel/audit/audit.ts'
import type { HeldItem } from '#kernel/held-back/held-back.ts'
import type { OutboxHead, OutboxMail } from '#kernel/mail/mail.ts'
import { presentUser, type SessionRow, type UserRow } from '#modules/accounts/index.ts'
import type { AdminRow } from './queries.ts'

export const presentAdmin = (admin: AdminRow): AdminAccount => ({
  id: admin.id,
  name: admin.name,
  email: admin.email,
  role: 'ROLE_PLATFORM_OWNER',
  active: admin.active,
  createdAt: admin.createdAt.toISOString(),
  lastLoginAt: admin.lastLoginAt?.toISOString() ?? null,
})

export const presentConsoleUser = (user: UserRow): ConsoleUser => ({
  ...presentUser(user),
  lastLoginAt: user.lastLoginAt?.toISOString() ?? null,
  banned: user.bannedAt !== null,
  formerEmail: user.formerEmail,
})

export const presentSignIn = (session: SessionRow, now: Date): z.infer<typeof SignInEntry> => {
  const hasExpired = session.expiresAt !== null && session.expiresAt <= now
  const endedAt = session.revokedAt ?? (hasExpired ? session.expiresAt : null)
  return {
    id: session.id,
    at: session.createdAt.toISOString(),
    device: deviceName(session.userAgent),
    ip: session.ip,
    endedAt: endedAt?.toISOString() ?? null,
  }
}

export const presentAuditEntry = (entry: AuditTable, name: string | null): AuditEntry => ({
  id: entry.id,
  at: entry.at.toISOString(),
  action: entry.action,
  actor: { kind: entry.actorKind, id: entry.actorId, name: entry.actorName },
  target:
    entry.targetKind !== null && entry.targetId !== null ? { kind: entry.targetKind, id: entry.targetId, name } : null,
  organizationId: entry.organizationId,
  ip: entry.ip,
  userAgent: entry.userAgent,
  detail: entry.detail,
})

export const presentMailHead = (mail: OutboxHead): OutboxMailHead => ({
  id: mail.id,
  to: mail.to,
  subject: mail.subject,
  status: mail.status,
  attempts: mail.attempts,
  error: mail.error,
  createdAt: mail.createdAt.toISOString(),
  sentAt: mail.sentAt?.toISOString() ?? null,
})

export const presentHeldItem = (
  { kind, id, what, reason, claims, since, canRelease, canDelete }: HeldItem,
  owner: ShownHeldItem['owner'],
): ShownHeldItem => ({
  kind,
  id,
  what,
  owner,
  reason,
  claims,
  since: since.toISOString(),
  canRelease,
  canDelete,
})

export const presentMail = (mail: OutboxMail) => ({ ...presentMailHead(mail), text: mail.text })
