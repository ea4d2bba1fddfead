/** A person as the directory sees them: the account, and what the directory calls it. */
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { UserRow } from '#modules/accounts/index.ts'
import type { Directory, ScimContext } from '../context.ts'
import type { UserDraft } from '../patch/patch-user.ts'
import { type Resource, versionOf } from '../protocol/resource.ts'
import { findPerson, type PersonRow } from '../queries/people.ts'

export interface Person {
  user: UserRow
  /** Absent for a member whom the directory has never written to. */
  row: PersonRow | undefined
}

export const userNameOf = ({ user, row }: Person): string => row?.userName ?? user.email

interface Wanted {
  directory: Directory
  userId: string
  /** Also one whom the directory has deleted. */
  isCreating?: boolean
}

/** Throws `scim_not_found` for somebody of another organization, or whom the directory has deleted. */
export const findMember = async (
  { accounts }: Pick<ScimContext, 'accounts'>,
  db: Db,
  { directory, userId, isCreating = false }: Wanted,
): Promise<Person> => {
  const user = await accounts.users.findByIdUnscoped(db, userId)
  if (user?.organizationId !== directory.organizationId || user.closedAt !== null) throw new AppError('scim_not_found')
  const row = await findPerson(db, directory, userId)
  if (!isCreating && row && row.removedAt !== null) throw new AppError('scim_not_found')
  return { user, row }
}

/** What operations change. */
export const draftOf = (person: Person): UserDraft => {
  const { user, row } = person
  return {
    userName: userNameOf(person),
    externalId: row?.externalId ?? null,
    displayName: user.name,
    active: user.status === 'ACTIVE',
    name: { formatted: user.name, givenName: row?.givenName ?? null, familyName: row?.familyName ?? null },
    emails: [{ value: user.email, type: 'work', primary: true }],
  }
}

/** What PUT leaves out is empty afterwards, except for what it can't mean to lose. */
export const emptyDraftOf = (person: Person): UserDraft => ({
  userName: userNameOf(person),
  externalId: person.row?.externalId ?? null,
  name: {},
  emails: [],
})

const contentOf = (person: Person) => {
  const { user, row } = person
  const [givenName, familyName] = [row?.givenName ?? undefined, row?.familyName ?? undefined]
  return {
    id: user.id,
    externalId: row?.externalId ?? undefined,
    userName: userNameOf(person),
    name: { formatted: user.name, givenName, familyName },
    displayName: user.name,
    emails: [{ value: user.email, type: 'work', primary: true }],
    active: user.status === 'ACTIVE',
  }
}

export const versionOfPerson = (person: Person): string => versionOf(contentOf(person))

export const presentPerson = (base: string, person: Person): Resource => {
  const { user, row } = person
  const content = contentOf(person)
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    ...content,
    meta: {
      resourceType: 'User',
      created: user.createdAt.toISOString(),
      lastModified: (row?.changedAt ?? user.createdAt).toISOString(),
      location: `${base}/Users/${user.id}`,
      version: versionOf(content),
    },
  }
}
