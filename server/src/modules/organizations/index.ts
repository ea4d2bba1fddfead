/** Organizations: companies, their plan, their people. The public interface of the module. */
import './tables.ts'
import type { CompanyFounder } from '#modules/accounts/index.ts'
import { editOrganizationUnscoped, standingTopic } from './company/edit-organization.ts'
import { createOrganization, foundCompany } from './company/found-company.ts'
import { activeMembers, createLoadMember } from './company/login-policy.ts'
import { createContext, type OrganizationsNeeds } from './context.ts'
import { createGrants, followGroups } from './grants/grants.ts'
import type { Organizations } from './interface.ts'
import { addMember } from './members/add-member.ts'
import { applyRole } from './members/apply-role.ts'
import { editByDirectoryUnscoped, setStatusByDirectoryUnscoped } from './members/by-directory.ts'
import { forgetMember } from './members/forget-member.ts'
import { setStatusUnscoped } from './members/set-member-status.ts'
import { findLimitsUnscoped } from './plan/scope-limits.ts'
import { takeSeat } from './plan/seats.ts'
import { requireWritable } from './plan/trial.ts'
import { listDomainsUnscoped } from './queries/domains.ts'
import * as queries from './queries/organizations.ts'
import * as unitQueries from './queries/units.ts'
import { declareQuotas } from './quotas.ts'
import { domainRoutes } from './routes/domains.ts'
import { invitationRoutes } from './routes/invitations.ts'
import { organizationRoutes } from './routes/organization.ts'
import { teamRoutes } from './routes/team.ts'
import { unitRoutes } from './routes/units.ts'
import { deleteUnit } from './units/delete-unit.ts'
import { placeMember } from './units/place-member.ts'
import { createUnit, updateUnit } from './units/save-unit.ts'

export { createFindLoginPolicy } from './company/login-policy.ts'
export type { Grants } from './grants/grants.ts'
export { type GroupsOf, groupsTopic } from './grants/grants-groups.ts'
export { type GrantQuestion, mayUse, type Owner } from './grants/grants-policy.ts'
export type { Organizations } from './interface.ts'
export { isMassRemoval } from './members/by-directory.ts'
export { isReadOnly } from './plan/trial.ts'
export type { MemberProvisioner, OrganizationEvent, OrganizationListener, Usage, UsageSource } from './ports.ts'
export { presentDetail, presentForConsole, presentGroup } from './present.ts'
export {
  deleteGrantsUnscoped,
  listGrantsAmongUnscoped,
  listGrantsOfTypeUnscoped,
  type Resource,
} from './queries/grants.ts'
export {
  findOrganizationUnscoped,
  listOrganizationsAmongUnscoped,
  listStandingsUnscoped,
  mailDomainOf,
  type OrganizationRow,
} from './queries/organizations.ts'
export { listGroupsAmongUnscoped, type UnitWithMembers } from './queries/units.ts'
export type { UnitKind } from './tables.ts'

export const createOrganizations = (needs: OrganizationsNeeds): Organizations => {
  const { kernel, accounts } = needs
  const { config, clock, signals } = kernel
  const context = createContext(needs)
  const { announce, listeners } = context
  const found: CompanyFounder = (request, from) => foundCompany(context, request, from)

  accounts.registerCompanyFounder(found)
  accounts.registerPrincipals('user', { load: createLoadMember(accounts), active: activeMembers })
  signals.on(standingTopic, accounts.forgetActors)
  declareQuotas(kernel)
  listeners.push(followGroups(context))
  accounts.registerDeletionHandler(forgetMember(context))

  return {
    createUnscoped: (tx, organization) => createOrganization(context, tx, organization),
    findUnscoped: queries.findOrganizationUnscoped,
    findLimitsUnscoped: (on, id) => findLimitsUnscoped(config, on, id),
    findByAddressUnscoped: queries.findOrganizationByAddressUnscoped,
    listUnscoped: queries.listOrganizationsUnscoped,
    listAmongUnscoped: queries.listOrganizationsAmongUnscoped,
    listSsoIdsUnscoped: queries.listSsoIdsUnscoped,
    listDomainsUnscoped,
    editUnscoped: (actor, request) => editOrganizationUnscoped(context, actor, request),
    setMemberStatusUnscoped: (by, change) => setStatusUnscoped(context, by, change),
    units: {
      listUnscoped: unitQueries.listUnitsUnscoped,
      listGroupsUnscoped: unitQueries.listGroupsUnscoped,
      findGroupUnscoped: unitQueries.findGroupUnscoped,
      listGroupsAmongUnscoped: unitQueries.listGroupsAmongUnscoped,
      placeUnscoped: (placement) => placeMember(context, placement),
      listGroupHeadsUnscoped: unitQueries.listGroupHeadsUnscoped,
      listMembershipsUnscoped: unitQueries.listMembershipsUnscoped,
      listMembersOfUnscoped: unitQueries.listMembersOfUnscoped,
      createGroupUnscoped: (editor, group) => createUnit(context, editor, { kind: 'group', ...group }),
      updateGroupUnscoped: (editor, change) => updateUnit(context, editor, { kind: 'group', ...change }),
      deleteGroupUnscoped: (editor, group) => deleteUnit(context, editor, { kind: 'group', ...group }),
    },
    grants: createGrants(context),
    announce,
    addMember: (tx, person) => addMember(context, tx, person),
    applyRoleUnscoped: (user, given) => applyRole(context, user, given),
    takeSeat: (tx, organizationId) => takeSeat(context, tx, organizationId),
    directory: {
      setStatusUnscoped: (change) => setStatusByDirectoryUnscoped(context, change),
      editUnscoped: (tx, edit) => editByDirectoryUnscoped(context, tx, edit),
    },
    onChange: (listener) => void listeners.push(listener),
    registerProvisioner: (provisioner) => {
      context.provisioner = provisioner
    },
    registerOwnSignIn: (has) => {
      context.hasOwnSignIn = has
    },
    registerUsage: (source) => void context.usageSources.push(source),
    requireWritable: (on, actor) => requireWritable({ clock }, on, actor),
    routes: [
      ...organizationRoutes(context, found),
      ...teamRoutes(context),
      ...invitationRoutes(context),
      ...unitRoutes(context),
      ...domainRoutes(context),
    ],
  }
}
