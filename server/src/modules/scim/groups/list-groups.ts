/**
 * Groups as a directory asks for them. An organization has at most a thousand, so a filter is tried on each; members are
 * read only of those that are sent, and of no more groups than fit into one reply.
 */
import { AppError } from '#kernel/errors.ts'
import { isUuid } from '#kernel/ids.ts'
import type { Directory } from '../context.ts'
import { matches, type Value } from '../filter/matches.ts'
import { type Filter, parseFilter } from '../filter/parse-filter.ts'
import type { Range } from '../protocol/resource.ts'
import { findGroupRow, listGroupRows } from '../queries/groups.ts'
import type { Group, GroupsContext } from './group.ts'

const mostMembersPerReply = 20_000

interface Question {
  directory: Directory
  filter: string | undefined
  range: Range
  withMembers: boolean
}

export const listGroups = async (
  context: GroupsContext,
  { directory, filter, range, withMembers }: Question,
): Promise<{ groups: Group[]; total: number }> => {
  const { organizations, db } = context
  const { organizationId } = directory
  const { units } = organizations
  const rows = new Map((await listGroupRows(db, directory)).map((row) => [row.unitId, row]))
  const heads = (await units.listGroupHeadsUnscoped(db, organizationId)).map((head) => ({
    ...head,
    row: rows.get(head.id),
  }))
  const isFound = filter === undefined ? () => true : await testOf(context, directory, parseFilter(filter))
  const found = heads.filter(isFound)
  const page = found.slice(range.from, range.from + range.most)
  if (!withMembers) return { groups: page.map((head) => ({ ...head, memberIds: undefined })), total: found.length }
  const fitting = thatFit(page)
  const members = await units.listMembersOfUnscoped(
    db,
    organizationId,
    fitting.map(({ id }) => id),
  )
  return { groups: fitting.map((head) => ({ ...head, memberIds: members.get(head.id) ?? [] })), total: found.length }
}

/** At least one; the others come with the next page. */
const thatFit = <Head extends { memberCount: number }>(page: readonly Head[]): Head[] => {
  let sum = 0
  const end = page.findIndex(({ memberCount }, index) => {
    sum += memberCount
    return index > 0 && sum > mostMembersPerReply
  })
  return page.slice(0, end === -1 ? page.length : end)
}

const memberPaths = ['members', 'members.value']

/** The people whom a filter asks to be members: which groups they are in is read once. */
const membersIn = (filter: Filter): string[] => {
  if (filter.op === 'and' || filter.op === 'or') return filter.of.flatMap(membersIn)
  if (filter.op === 'not') return membersIn(filter.of)
  return memberPaths.includes(filter.path) && filter.op !== 'pr' ? [String(filter.value).toLowerCase()] : []
}

type Head = Omit<Group, 'memberIds'> & { memberCount: number }

const testOf = async ({ organizations, db }: GroupsContext, directory: Directory, filter: Filter) => {
  const asked = membersIn(filter).filter(isUuid)
  const memberships =
    asked.length === 0 ? [] : await organizations.units.listMembershipsUnscoped(db, directory.organizationId, asked)
  const byGroup = Map.groupBy(memberships, ({ unitId }) => unitId)
  return (head: Head): boolean =>
    matches(filter, (path): Value[] => {
      if (memberPaths.includes(path)) return membersOf(head, byGroup.get(head.id) ?? [])
      const read = attributes.get(path)
      if (!read)
        throw new AppError('scim_invalid_filter', { detail: `Groups can't be filtered by “${path.slice(0, 100)}”.` })
      return [read(head)]
    })
}

/** Those who were asked for; of the others only that there are some. */
const membersOf = ({ memberCount }: Head, asked: readonly { userId: string }[]): Value[] => [
  ...asked.map(({ userId }) => userId),
  ...(memberCount > asked.length ? ['somebody else'] : []),
]

const attributes = new Map<string, (head: Head) => Value>([
  ['id', ({ id }) => id],
  ['displayname', ({ name }) => name],
  ['externalid', ({ row }) => row?.externalId],
  ['meta.created', ({ createdAt }) => createdAt.toISOString()],
  ['meta.lastmodified', ({ row, createdAt }) => (row?.changedAt ?? createdAt).toISOString()],
])

export const getGroup = async (
  { organizations, db }: GroupsContext,
  { directory, id, withMembers }: { directory: Directory; id: string; withMembers: boolean },
): Promise<Group> => {
  const { organizationId } = directory
  const group = await organizations.units.findGroupUnscoped(db, id)
  if (group?.organizationId !== organizationId) throw new AppError('scim_not_found')
  const members = withMembers ? await organizations.units.listMembersOfUnscoped(db, organizationId, [id]) : undefined
  return {
    ...group,
    row: await findGroupRow(db, directory, id),
    memberIds: members && (members.get(id) ?? []),
  }
}
