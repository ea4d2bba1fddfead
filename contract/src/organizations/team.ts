/** `/api/org/team`, invitations, groups and departments. */
import { z } from 'zod'
import { AccountStatus } from '../accounts/accounts.ts'
import { FactorPolicy } from '../accounts/factors.ts'
import { paging, sortBy } from '../lists.ts'
import { EmailAddress, IsoTime, line, NewPassword, PersonName } from '../text.ts'

/** `ROLE_ADMIN` is the legacy name of `ROLE_ORG_ADMIN`; it is read as that wherever a role comes in. */
export const MemberRole = z
  .enum(['ROLE_USER', 'ROLE_ORG_ADMIN', 'ROLE_ADMIN'])
  .transform((role) => (role === 'ROLE_ADMIN' ? 'ROLE_ORG_ADMIN' : role))

export const Member = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.string(),
  role: z.enum(['ROLE_USER', 'ROLE_ORG_ADMIN']),
  status: AccountStatus,
  lastLoginAt: IsoTime.nullable(),
  /** What they have set up besides a password; administrators see it. */
  factors: z.array(z.enum(['totp', 'passkey', 'email'])).optional(),
})
export type Member = z.infer<typeof Member>

/** `mailSent` is false when the email failed: resend it, or copy the link where there is one. */
export const Invitation = z.object({
  id: z.uuid(),
  email: z.string(),
  role: z.enum(['ROLE_USER', 'ROLE_ORG_ADMIN']),
  expiresAt: IsoTime,
  mailSent: z.boolean(),
  /** The email couldn't go out, so an admin may hand the link over themselves. */
  canCopyLink: z.boolean(),
})
export type Invitation = z.infer<typeof Invitation>

export const Team = z.object({
  members: z.array(Member),
  invitations: z.array(Invitation),
  /** All that match, on any page. */
  totals: z.object({ members: z.int(), invitations: z.int() }),
})
export type Team = z.infer<typeof Team>

const { page, limit } = paging(50)

/**
 * Without `page` and `limit` the reply holds everybody. Loose, as this list took any query before it had one of its own.
 */
export const TeamQuery = z.object({
  page: page.unwrap().optional(),
  limit: limit.unwrap().optional(),
  search: z.string().max(200).optional(),
  /** Orders the members. */
  sort: sortBy('name', 'role', 'status', 'lastLogin'),
  /** Only these members, separated by commas. */
  ids: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(z.uuid()).max(200))
    .optional(),
  /** Only members with a second factor, or only those without. */
  factors: z.enum(['some', 'none']).optional(),
  /** Leaves the other list empty. */
  show: z.enum(['members', 'invitations']).optional(),
})
export type TeamQuery = z.infer<typeof TeamQuery>
export const InviteBody = z.strictObject({
  email: EmailAddress,
  name: PersonName.optional(),
  role: MemberRole.optional(),
})
export const RoleBody = z.strictObject({ role: MemberRole })

export const InvitationFacts = z.object({
  organization: z.string(),
  email: z.string(),
  name: z.string().nullable(),
  role: z.enum(['ROLE_USER', 'ROLE_ORG_ADMIN']),
  expiresAt: IsoTime,
  hasAccount: z.boolean().describe('The invited address has an account: sign in with it, then accept.'),
})
/** A signed-in person sends the token alone, and joins with the account they have. */
export const AcceptInviteBody = z
  .strictObject({
    token: z.string().min(1).max(256),
    name: PersonName.optional(),
    password: NewPassword.optional(),
  })
  .refine(({ name, password }) => (name === undefined) === (password === undefined), {
    message: 'name and password come together',
    path: ['password'],
  })

/** Groups and departments have the same shape; a person may be in many of either. */
export const Unit = z.object({ id: z.uuid(), name: z.string(), memberIds: z.array(z.uuid()), createdAt: IsoTime })
export type Unit = z.infer<typeof Unit>
export const UnitList = z.object({ items: z.array(Unit), total: z.int() })
const UnitName = line(64)
const MemberIds = z.array(z.uuid()).max(1000)
export const UnitBody = z.strictObject({ name: UnitName, memberIds: MemberIds.optional() })
export const UnitPatch = z.strictObject({ name: UnitName.optional(), memberIds: MemberIds.optional() })

export const OrgSettingsPatch = z.strictObject({
  name: line(120).optional(),
  loginOtp: z.boolean().optional(),
  publicChatLinks: z.boolean().optional(),
  authProvider: z.enum(['NATIVE', 'SSO']).optional(),
  factorPolicy: FactorPolicy.optional().describe('The second factor that members need to sign in.'),
  factorPolicyFrom: IsoTime.nullable().optional().describe('From when on; null: at once.'),
  remembersBrowsers: z.boolean().optional().describe('Browsers may go without a second step for 30 days.'),
})
