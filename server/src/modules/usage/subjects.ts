/** The subjects of limits: their names, and the organization that decides who may see and set the limit. */
import type { Db } from '#kernel/db/database.ts'
import { listApiKeysAmongUnscoped, listUsersAmongUnscoped } from '#modules/accounts/index.ts'
import { listGroupsAmongUnscoped, listOrganizationsAmongUnscoped } from '#modules/organizations/index.ts'
import type { LimitRow } from './queries/limits.ts'

export interface Subject {
  name: string
  /** Null for a user without an organization, and for everyone. */
  organizationId: string | null
}

type Named = Pick<LimitRow, 'subjectType' | 'subjectId'>

/** Undefined for a subject that does not exist. */
export type FindSubject = (limit: Named) => Subject | undefined

const nameOf = ({ subjectType, subjectId }: Named): string => `${subjectType} ${subjectId}`

export const findSubjects = async (db: Db, limits: readonly Named[]): Promise<FindSubject> => {
  const idsOf = (type: LimitRow['subjectType']) =>
    limits.filter(({ subjectType }) => subjectType === type).map(({ subjectId }) => subjectId)
  const keys = await listApiKeysAmongUnscoped(db, idsOf('key'))
  const [users, groups, organizations] = await Promise.all([
    listUsersAmongUnscoped(db, [...idsOf('user'), ...keys.map(({ principalId }) => principalId)]),
    listGroupsAmongUnscoped(db, idsOf('group')),
    listOrganizationsAmongUnscoped(db, idsOf('organization')),
  ])
  const organizationOf = new Map(users.map(({ id, organizationId }) => [id, organizationId]))
  const found = new Map<string, Subject>()
  const add = (subjectType: LimitRow['subjectType'], subjectId: string, subject: Subject) =>
    found.set(nameOf({ subjectType, subjectId }), subject)

  for (const { id, name, organizationId } of users) add('user', id, { name, organizationId })
  for (const { id, name, organizationId } of groups) add('group', id, { name, organizationId })
  for (const { id, name } of organizations) add('organization', id, { name, organizationId: id })
  for (const { id, name, principalId } of keys)
    add('key', id, { name, organizationId: organizationOf.get(principalId) ?? null })
  return (limit) =>
    limit.subjectType === 'everyone' ? { name: 'Everyone', organizationId: null } : found.get(nameOf(limit))
}
