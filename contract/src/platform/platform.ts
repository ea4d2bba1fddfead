/** `/api/admin`: platform admins, their console, the mail outbox and the audit log. */
import { z } from 'zod'
import { AccountStatus, OtpRequired, User } from '../accounts/accounts.ts'
import { PageQuery, pageOf, paging, sortBy } from '../lists.ts'
import { DomainName } from '../organizations/domains.ts'
import { PlanLimits } from '../organizations/organizations.ts'
import { EmailAddress, IsoTime, line, NewPassword, OfferedPassword, PersonName } from '../text.ts'

export const AdminAccount = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.string(),
  role: z.literal('ROLE_PLATFORM_OWNER'),
  active: z.boolean(),
  createdAt: IsoTime,
  lastLoginAt: IsoTime.nullable(),
})
export type AdminAccount = z.infer<typeof AdminAccount>

/** The signed-in platform admin. */
export const AdminMe = AdminAccount.extend({
  needsFactor: z.boolean().describe('This session may only set up or show a second factor.'),
})
export type AdminMe = z.infer<typeof AdminMe>

/** Public: whether the first admin has still to be made, so that the web app can offer it. */
export const SetupState = z.object({ needed: z.boolean() })

export const SetupBody = z.strictObject({
  setupKey: z.string().max(512),
  name: PersonName,
  email: EmailAddress,
  password: NewPassword,
})
export const AdminSignedIn = z.object({
  token: z.string(),
  tokenType: z.literal('Bearer'),
  expiresAt: IsoTime.nullable(),
  user: AdminAccount,
})
export const AdminLoginReply = z.union([AdminSignedIn, OtpRequired])
export const AdminLoginBody = z.strictObject({ email: z.string().max(320), password: OfferedPassword })
export const AdminAccountBody = z.strictObject({ name: PersonName, email: EmailAddress, password: NewPassword })
export const AdminAccountPatch = z.strictObject({ active: z.boolean() })
export const AdminAccountList = pageOf(AdminAccount)

export const UserRow = User.extend({
  lastLoginAt: IsoTime.nullable(),
  banned: z.boolean().describe('By a platform admin; only they can lift it.'),
  formerEmail: z.string().nullable().describe('The address a closed account had before its owner proved it.'),
})
export type UserRow = z.infer<typeof UserRow>
export const UserRowList = pageOf(UserRow)
export const UserListQuery = PageQuery.extend({ sort: sortBy('name', 'role', 'status', 'lastLogin', 'created') })
export type UserListQuery = z.infer<typeof UserListQuery>
/** `email` gives the account another address, and reopens one that lost its address to its owner. */
export const UserPatch = z.strictObject({ status: AccountStatus.optional(), email: EmailAddress.optional() })

/** Without `transferTo`, what the person owns is deleted. The body may be left out. */
export const UserDeletionBody = z
  .strictObject({ transferTo: z.uuid().optional().describe('Who gets their chats, models and workflows.') })
  .nullish()

export const AuditEntry = z.object({
  id: z.uuid(),
  at: IsoTime,
  action: z.string(),
  actor: z.object({
    kind: z.enum(['user', 'admin', 'system', 'anonymous']),
    id: z.string().nullable(),
    name: z.string().nullable(),
  }),
  /** The name is today's for people and organizations, else that of the time of the entry; null where there is none. */
  target: z.object({ kind: z.string(), id: z.string(), name: z.string().nullable() }).nullable(),
  organizationId: z.uuid().nullable(),
  ip: z.string().nullable(),
  userAgent: z.string().nullable(),
  detail: z.record(z.string(), z.unknown()),
})
export type AuditEntry = z.infer<typeof AuditEntry>
export const AuditList = pageOf(AuditEntry)
/**
 * `area` is the part of the action before its dot, `person` a part of the actor's name, `from` and `to` days in UTC, both
 * included.
 */
export const AuditQuery = PageQuery.extend({
  area: z.string().max(60).optional(),
  person: z.string().max(200).optional(),
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
  sort: sortBy('time', 'action', 'actor', 'ip'),
})
export type AuditQuery = z.infer<typeof AuditQuery>
/** The whole log, without pages. */
export const AuditFilter = AuditQuery.omit({ page: true, limit: true, sort: true })
export type AuditFilter = z.infer<typeof AuditFilter>

export const MailStatus = z.enum(['queued', 'kept', 'sent', 'failed'])
export const OutboxMailHead = z.object({
  id: z.uuid(),
  to: z.string(),
  subject: z.string(),
  status: MailStatus,
  attempts: z.int(),
  error: z.string().nullable(),
  createdAt: IsoTime,
  sentAt: IsoTime.nullable(),
})
export type OutboxMailHead = z.infer<typeof OutboxMailHead>
/** `text` is null once the mail was handed to the mail server: we keep no delivered links or codes. */
export const OutboxMail = OutboxMailHead.extend({ text: z.string().nullable() })
export const OutboxList = pageOf(OutboxMailHead)
export const OutboxQuery = PageQuery.extend({ sort: sortBy('created', 'to', 'subject', 'status') })

export const HeldItem = z.object({
  kind: z.string().describe('`job`, `run`, `dispatch`.'),
  id: z.string(),
  what: z.string().describe('A short line, without contents.'),
  owner: z
    .object({ kind: z.enum(['organization', 'user']), id: z.uuid(), name: z.string().nullable() })
    .nullable()
    .describe('Null where it is the work of the whole server. The name is null once the owner is gone.'),
  reason: z.string(),
  claims: z.int().describe('How often it was begun and came to nothing.'),
  since: IsoTime,
  canRelease: z.boolean(),
  canDelete: z.boolean(),
})
export type HeldItem = z.infer<typeof HeldItem>
export const HeldList = pageOf(HeldItem)
export const HeldQuery = z.strictObject({ ...paging(50), kind: z.string().max(60).optional() })

export const OrganizationRow = z.object({
  id: z.uuid(),
  name: z.string(),
  code: z.string(),
  authProvider: z.enum(['NATIVE', 'SSO']),
  plan: z.string(),
  memberCount: z.int(),
  createdAt: IsoTime,
})
export type OrganizationRow = z.infer<typeof OrganizationRow>
export const OrganizationListQuery = PageQuery.extend({ sort: sortBy('name', 'plan', 'signIn', 'created') })
export type OrganizationListQuery = z.infer<typeof OrganizationListQuery>

/** One organization as the console edits it. */
export const OrganizationDetail = OrganizationRow.extend({
  trialEndsAt: IsoTime.nullable(),
  limits: PlanLimits,
  active: z.boolean(),
  /** Mail domains whose people sign in the way this organization does. */
  domains: z.array(z.string()),
})
/** A group of any organization: what the console grants to and sets limits for. */
export const GroupRow = z.object({
  id: z.uuid(),
  name: z.string(),
  organization: z.object({ id: z.uuid(), name: z.string() }),
  memberCount: z.int(),
})
export type GroupRow = z.infer<typeof GroupRow>
export const GroupRowList = pageOf(GroupRow)

export const OrganizationPatch = z.strictObject({
  plan: line(40).optional(),
  trialEndsAt: IsoTime.nullish(),
  limits: z
    .strictObject({
      members: z.int().min(1).max(1_000_000),
      documentsPerMonth: z.int().min(0).max(1_000_000_000),
      storageBytes: z.int().min(0),
    })
    .partial()
    .optional(),
  authProvider: z.enum(['NATIVE', 'SSO']).optional(),
  active: z.boolean().optional(),
  domains: z.array(DomainName).max(50).optional(),
})

export const SignInEntry = z.object({
  id: z.uuid(),
  at: IsoTime,
  device: z.string(),
  ip: z.string().nullable(),
  endedAt: IsoTime.nullable(),
})
export const SignInHistory = pageOf(SignInEntry)
export const OrganizationRowList = pageOf(OrganizationRow)

export const SignInHistoryQuery = PageQuery.omit({ search: true })
