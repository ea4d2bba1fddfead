/** The only way from rows to JSON. Hashes of tokens have no presenter. */
import type { OrganizationHead } from '@chancery/contract/accounts/accounts.ts'
import type { Factor } from '@chancery/contract/accounts/factors.ts'
import type { Domain } from '@chancery/contract/organizations/domains.ts'
import type { Organization } from '@chancery/contract/organizations/organizations.ts'
import type { Invitation, InvitationFacts, Member, Unit } from '@chancery/contract/organizations/team.ts'
import type {
  OrganizationRow as ConsoleRow,
  GroupRow,
  OrganizationDetail,
} from '@chancery/contract/platform/platform.ts'
import type { z } from 'zod'
import type { UserRow } from '#modules/accounts/index.ts'
import { txtRecordOf } from './domains/own-domains.ts'
import type { DomainRow } from './queries/domains.ts'
import type { InvitationRow } from './queries/invitations.ts'
import type { OrganizationRow } from './queries/organizations.ts'
import type { GroupFacts, UnitWithMembers } from './queries/units.ts'

export const presentHead = ({ id, name, code }: OrganizationRow): z.infer<typeof OrganizationHead> => ({
  id,
  name,
  code,
})

const presentLimits = (row: OrganizationRow) => ({
  members: row.maxMembers,
  documentsPerMonth: row.maxDocumentsPerMonth,
  storageBytes: row.maxStorageBytes,
})

export const presentOrganization = (
  row: OrganizationRow,
  { memberCount, usage }: Pick<Organization, 'memberCount' | 'usage'>,
): Organization => ({
  ...presentHead(row),
  authProvider: row.authProvider,
  loginOtp: row.loginOtp,
  publicChatLinks: row.publicChatLinks,
  factorPolicy: row.factorPolicy,
  factorPolicyFrom: row.factorPolicyFrom?.toISOString() ?? null,
  remembersBrowsers: row.remembersBrowsers,
  plan: { name: row.plan, trialEndsAt: row.trialEndsAt?.toISOString() ?? null, limits: presentLimits(row) },
  memberCount,
  usage,
  createdAt: row.createdAt.toISOString(),
})

/** As the platform console lists it. */
export const presentForConsole = (row: OrganizationRow, memberCount: number): ConsoleRow => ({
  ...presentHead(row),
  authProvider: row.authProvider,
  plan: row.plan,
  memberCount,
  createdAt: row.createdAt.toISOString(),
})

/** As the platform console edits it. */
export const presentDetail = (
  row: OrganizationRow,
  { memberCount, domains }: { memberCount: number; domains: string[] },
): z.infer<typeof OrganizationDetail> => ({
  ...presentForConsole(row, memberCount),
  trialEndsAt: row.trialEndsAt?.toISOString() ?? null,
  limits: presentLimits(row),
  active: row.active,
  domains,
})

/** Only administrators see when somebody signed in last, and with what. */
export const presentMember = (
  { id, name, email, role, status, lastLoginAt }: UserRow,
  factors: Factor['kind'][] | undefined,
): Member => ({
  id,
  name,
  email,
  role,
  status,
  lastLoginAt: factors === undefined ? null : (lastLoginAt?.toISOString() ?? null),
  ...(factors && { factors }),
})

export const presentInvitation = (
  { id, email, role, expiresAt, mailSent, tokenHash }: InvitationRow,
  {
    hasMailServer,
    hasFailed = false,
    isByLink = tokenHash !== null,
  }: { hasMailServer: boolean; hasFailed?: boolean; isByLink?: boolean },
): Invitation => ({
  id,
  email,
  role,
  mailSent: mailSent && !hasFailed,
  canCopyLink: isByLink && (hasFailed || !hasMailServer),
  expiresAt: expiresAt.toISOString(),
})

/** Facts that the holder of the link may know before they accept. */
export const presentInvitationFacts = ({
  invitation: { email, name, role, expiresAt },
  organization,
  hasAccount,
}: {
  invitation: InvitationRow
  organization: OrganizationRow
  hasAccount: boolean
}): z.infer<typeof InvitationFacts> => ({
  organization: organization.name,
  email,
  name,
  role,
  hasAccount,
  expiresAt: expiresAt.toISOString(),
})

export const presentUnit = ({ id, name, memberIds, createdAt }: UnitWithMembers): Unit => ({
  id,
  name,
  memberIds,
  createdAt: createdAt.toISOString(),
})

/** As the platform console names it. */
export const presentGroup = ({ id, name, organizationId, organizationName, memberCount }: GroupFacts): GroupRow => ({
  id,
  name,
  memberCount,
  organization: { id: organizationId, name: organizationName },
})

export const presentDomain = (row: DomainRow): Domain => ({
  domain: row.domain,
  verified: row.verifiedAt !== null,
  txtRecord: txtRecordOf(row),
})
