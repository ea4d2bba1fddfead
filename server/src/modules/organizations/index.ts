/** Organizations: companies, their plan, their people. The public face of the module. */
import './tables.ts'
import type { Db } from '#kernel/db/database.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { Kernel, Module } from '#kernel/kernel.ts'
import type { Accounts, CompanyFounder, UserRow } from '#modules/accounts/index.ts'
import { admitMember, type Newcomer } from './admit-member.ts'
import type { OrganizationsContext } from './context.ts'
import { standingTopic } from './edit-organization.ts'
import { foundCompany } from './found-company.ts'
import { createGrants, followGroups, type Grants } from './grants.ts'
import { createFindLoginPolicy, loadMember } from './login-policy.ts'
import type { MemberProvisioner, OrganizationEvent, OrganizationListener, UsageSource } from './ports.ts'
import { invitationRoutes } from './routes/invitations.ts'
import { organizationRoutes } from './routes/organization.ts'
import { teamRoutes } from './routes/team.ts'
import { unitRoutes } from './routes/units.ts'
import { requireWritable } from './trial.ts'

export type { OrganizationsContext } from './context.ts'
export { editOrganizationUnscoped } from './edit-organization.ts'
export type { Grants } from './grants.ts'
export type { GroupsOf } from './grants-groups.ts'
export { type GrantQuestion, mayUse, type Owner } from './grants-policy.ts'
export type { MemberProvisioner, OrganizationEvent, OrganizationListener, Usage, UsageSource } from './ports.ts'
export { presentDetail, presentForConsole, presentGroup } from './present.ts'
export {
  deleteGrantsUnscoped,
  listGrantsOfTypeUnscoped,
  type Resource,
} from './queries/grants.ts'
export {
  findOrganizationByAddressUnscoped,
  findOrganizationUnscoped,
  listDomainsUnscoped,
  listOrganizationsAmongUnscoped,
  listOrganizationsUnscoped,
  mailDomainOf,
  type OrganizationRow,
} from './queries/organizations.ts'
export {
  findGroupUnscoped,
  listGroupsAmongUnscoped,
  listGroupsUnscoped,
  listUnitsUnscoped,
  type UnitWithMembers,
} from './queries/units.ts'
export { setStatusUnscoped } from './set-member-status.ts'
export type { UnitKind } from './tables.ts'

export interface Organizations extends Module {
  context: OrganizationsContext
  /** Who besides its owner may use a thing of a module above. */
  grants: Grants
  /** Port: called inside the transaction of each change. */
  onChange(listener: OrganizationListener): void
  /** For modules above that add or change a member themselves. */
  announce(tx: Db, event: OrganizationEvent): Promise<void>
  /** Makes a member of somebody whom another login vouches for, in the caller's transaction. */
  admitMember(tx: Db, newcomer: Newcomer): Promise<UserRow>
  /** Port: how people are invited into an organization that signs in elsewhere. */
  registerProvisioner(provisioner: MemberProvisioner): void
  /** Port: whether an organization can be switched to company login. */
  registerSsoAvailability(isAvailable: () => boolean): void
  /** Port: what of the plan's documents and storage is used up. */
  registerUsage(source: UsageSource): void
  /** Throws `trial_expired` where the caller's organization may only be read. */
  requireWritable(db: Db, actor: Pick<Actor, 'organizationId'>): Promise<void>
}

export interface OrganizationsNeeds {
  kernel: Kernel
  accounts: Accounts
}

export const createOrganizations = ({ kernel, accounts }: OrganizationsNeeds): Organizations => {
  const { db, clock, signals } = kernel
  const { cache } = accounts.context
  const listeners: OrganizationListener[] = []
  const announce: OrganizationListener = async (tx, event) => {
    for (const listen of listeners) await listen(tx, event)
  }
  const context: OrganizationsContext = {
    accounts: accounts.context,
    announce,
    provisioner: undefined,
    usageSources: [],
    isSsoAvailable: () => false,
  }
  const found: CompanyFounder = (request, from) => foundCompany(context, request, from)

  accounts.registerCompanyFounder(found)
  accounts.registerLoginPolicy(createFindLoginPolicy(db))
  accounts.registerPrincipals('user', loadMember)
  signals.on(standingTopic, () => cache.forget(undefined))
  listeners.push(followGroups(context))

  return {
    context,
    grants: createGrants(context),
    announce,
    admitMember: (tx, newcomer) => admitMember(context, tx, newcomer),
    onChange: (listener) => void listeners.push(listener),
    registerProvisioner: (provisioner) => {
      context.provisioner = provisioner
    },
    registerSsoAvailability: (isAvailable) => {
      context.isSsoAvailable = isAvailable
    },
    registerUsage: (source) => void context.usageSources.push(source),
    requireWritable: (on, actor) => requireWritable({ clock }, on, actor),
    routes: [
      ...organizationRoutes(context, found),
      ...teamRoutes(context),
      ...invitationRoutes(context),
      ...unitRoutes(context),
    ],
  }
}
