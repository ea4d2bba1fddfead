/**
 * The interface of organizations for the floors above, with the ports they fill. Methods that take no actor end in
 * `Unscoped`: their caller has checked that the result may be seen or changed.
 */
import type { AccountStatus } from '@chancery/contract/accounts/accounts.ts'
import type { Origin } from '#kernel/audit/audit.ts'
import type { Db } from '#kernel/db/database.ts'
import type { Page } from '#kernel/db/paging.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { Module } from '#kernel/kernel.ts'
import type { UserRow } from '#modules/accounts/index.ts'
import type { EditRequest } from './company/edit-organization.ts'
import type { NewOrganization } from './company/found-company.ts'
import type { Grants } from './grants/grants.ts'
import type { NewMember } from './members/add-member.ts'
import type { GivenRole } from './members/apply-role.ts'
import type { DirectoryEdit, DirectoryStatus } from './members/by-directory.ts'
import type { ScopeLimits } from './plan/scope-limits.ts'
import type { MemberProvisioner, OrganizationEvent, OrganizationListener, OwnSignIn, UsageSource } from './ports.ts'
import type { OrganizationRow } from './queries/organizations.ts'
import type { GroupFacts, GroupHead, UnitWithMembers } from './queries/units.ts'
import type { UnitKind } from './tables.ts'
import type { UnitDeletion } from './units/delete-unit.ts'
import type { UnitEditor } from './units/editor.ts'
import type { Placement } from './units/place-member.ts'
import type { NewUnit, UnitChange } from './units/save-unit.ts'

type Filter = Page & { search?: string | undefined }
type Found<Row> = Promise<{ items: Row[]; total: number }>

/** Groups and departments. */
export interface Units {
  listUnscoped(db: Db, organizationId: string, kind: UnitKind): Promise<UnitWithMembers[]>
  /** The groups of every organization, by name. */
  listGroupsUnscoped(db: Db, filter: Filter): Found<GroupFacts>
  findGroupUnscoped(db: Db, id: string): Promise<GroupFacts | undefined>
  listGroupsAmongUnscoped(
    db: Db,
    ids: readonly string[],
  ): Promise<{ id: string; name: string; organizationId: string }[]>
  /** The groups that a member's sign-in elsewhere puts them into and takes them out of. */
  placeUnscoped(placement: Placement): Promise<void>
  /** Every group of one organization, without its members. */
  listGroupHeadsUnscoped(db: Db, organizationId: string): Promise<GroupHead[]>
  /** Which of these people are in which groups of the organization. */
  listMembershipsUnscoped(
    db: Db,
    organizationId: string,
    userIds: readonly string[],
  ): Promise<{ unitId: string; userId: string }[]>
  /** The members of these groups, each a list of ids. */
  listMembersOfUnscoped(db: Db, organizationId: string, unitIds: readonly string[]): Promise<Map<string, string[]>>
  /** Throws `name_taken`, `plan_limit_reached`, `member_not_found`. */
  createGroupUnscoped(editor: UnitEditor, group: Omit<NewUnit, 'kind'>): Promise<UnitWithMembers>
  updateGroupUnscoped(editor: UnitEditor, change: Omit<UnitChange, 'kind'>): Promise<UnitWithMembers>
  deleteGroupUnscoped(editor: UnitEditor, group: Omit<UnitDeletion, 'kind'>): Promise<void>
}

export interface Organizations extends Module {
  /** Without members, and without telling anybody. */
  createUnscoped(tx: Db, organization: NewOrganization): Promise<OrganizationRow>
  findUnscoped(db: Db, id: string): Promise<OrganizationRow | undefined>
  /** The limits of an organization's plan, or of a person without one (null). */
  findLimitsUnscoped(db: Db, organizationId: string | null): Promise<ScopeLimits>
  /** The organization whose email domain the address has. */
  findByAddressUnscoped(db: Db, email: string): Promise<OrganizationRow | undefined>
  listUnscoped(db: Db, filter: Filter): Found<OrganizationRow>
  listAmongUnscoped(db: Db, ids: readonly string[]): Promise<{ id: string; name: string }[]>
  /** Active companies whose people sign in at the identity provider. */
  listSsoIdsUnscoped(db: Db): Promise<string[]>
  listDomainsUnscoped(db: Db, organizationId: string): Promise<string[]>
  /** Changes by a platform admin. */
  editUnscoped(actor: Actor, request: EditRequest): Promise<OrganizationRow>
  /** Changes anybody's status for a platform admin: no limit of the plan and no last administrator prevents it. */
  setMemberStatusUnscoped(
    by: Actor | 'system',
    change: { userId: string; status: AccountStatus; from?: Origin },
  ): Promise<UserRow>
  units: Units
  /** Access for others than the owner to a resource of a module above. */
  grants: Grants
  /** Port: called inside the transaction of each change. */
  onChange(listener: OrganizationListener): void
  /** For modules above that add or change a member themselves. */
  announce(tx: Db, event: OrganizationEvent): Promise<void>
  /** What an organization's own directory changes of its members. Throws `last_admin`, `email_taken`, `plan_limit_reached`. */
  directory: {
    setStatusUnscoped(change: DirectoryStatus): Promise<UserRow>
    /** Call it inside `changePrincipal` of the member. */
    editUnscoped(tx: Db, edit: DirectoryEdit): Promise<void>
  }
  /** Adds a person who was identified by another login, in the caller's transaction. */
  addMember(tx: Db, person: NewMember): Promise<UserRow>
  /** The role that a member's sign-in elsewhere gives them. The last active administrator keeps theirs. */
  applyRoleUnscoped(user: UserRow, given: GivenRole): Promise<UserRow>
  /** Locks the organization and makes sure that it is open, its trial running, and a seat free. */
  takeSeat(tx: Db, organizationId: string): Promise<void>
  /** Port: invites people into an organization that signs in elsewhere. */
  registerProvisioner(provisioner: MemberProvisioner): void
  /** Port: whether an organization can switch to company login though the instance has none. */
  registerOwnSignIn(has: OwnSignIn): void
  /** Port: the used part of the plan's documents and storage. */
  registerUsage(source: UsageSource): void
  /** Throws `trial_expired` where the caller's organization may only be read. */
  requireWritable(db: Db, actor: Pick<Actor, 'organizationId'>): Promise<void>
}
