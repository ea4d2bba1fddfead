/** A company registers: organization, trial plan and first administrator, all or nothing. */
import type { RegisterCompanyBody } from '@chancery/contract/accounts/accounts.ts'
import type { Origin } from '#kernel/audit/audit.ts'
import { randomDigits } from '#kernel/crypto/tokens.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import { asPrincipal, presentSignedIn, requireOpenSignUp } from '#modules/accounts/index.ts'
import type { OrganizationsContext } from '../context.ts'
import { trialPlan } from '../plan/trial.ts'
import { presentHead } from '../present.ts'
import { insertOrganizationUnscoped, type OrganizationRow } from '../queries/organizations.ts'
import { companyCode } from './company-code.ts'

const trialDays = 30
const gibibyte = 1024 ** 3
const trial = { plan: trialPlan, maxMembers: 25, maxDocumentsPerMonth: 100, maxStorageBytes: 5 * gibibyte }

export type NewOrganization = Pick<
  OrganizationRow,
  'name' | 'plan' | 'maxMembers' | 'maxDocumentsPerMonth' | 'maxStorageBytes'
> &
  Partial<Pick<OrganizationRow, 'trialEndsAt'>>

export const foundCompany = async (context: OrganizationsContext, request: RegisterCompanyBody, from: Origin) => {
  const { accounts, announce, audit, db } = context
  const { companyName, name, email, password } = request
  requireOpenSignUp(context.config, email)
  if ((await accounts.logins.findPolicy({ email, organizationId: null })).refusesPassword)
    throw new AppError('company_login_required')
  const passwordHash = await accounts.passwords.hash(password)
  return db.transaction().execute(async (tx) => {
    const trialEndsAt = new Date(context.clock.now().getTime() + trialDays * 86_400_000)
    const organization = await createOrganization(context, tx, { ...trial, name: companyName, trialEndsAt })
    const role = 'ROLE_ORG_ADMIN'
    const user = await accounts.users.create(tx, { name, email, passwordHash, role, organizationId: organization.id })
    const principal = asPrincipal(user)
    const target = { kind: 'organization', id: organization.id }
    await audit.record(tx, { action: 'organization.register', by: principal, from, target })
    await announce(tx, { type: 'organization_registered', organizationId: organization.id })
    await announce(tx, { type: 'member_added', organizationId: organization.id, userId: user.id })
    const session = await accounts.sessions.open(tx, { principal, from, method: 'new' })
    return { ...presentSignedIn({ user, session }), organization: presentHead(organization) }
  })
}

/** Two companies may share a name. Digits set the second one's code apart. */
export const createOrganization = async (
  { clock, ids }: Pick<OrganizationsContext, 'clock' | 'ids'>,
  tx: Db,
  { name, ...plan }: NewOrganization,
): Promise<OrganizationRow> => {
  const plain = companyCode(name)
  for (let tries = 0; tries < 10; tries += 1) {
    const code = tries === 0 ? plain : `${plain}-${randomDigits(6)}`
    const organization: OrganizationRow = {
      id: ids.next(),
      name,
      code,
      authProvider: 'NATIVE',
      loginOtp: false,
      publicChatLinks: false,
      factorPolicy: 'none',
      factorPolicyFrom: null,
      remembersBrowsers: true,
      active: true,
      trialEndsAt: null,
      ...plan,
      createdAt: clock.now(),
    }
    if (await insertOrganizationUnscoped(tx, organization)) return organization
  }
  throw new Error('ten codes in a row were taken')
}
