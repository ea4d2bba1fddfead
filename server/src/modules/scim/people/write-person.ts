/**
 * Writes what the directory says of a person. Names, email and status change in one transaction, under a lock of the
 * person's row; what refuses (a version, a domain, the last administrator, no seat) leaves nothing behind.
 */
import type { AccountStatus } from '@chancery/contract/accounts/accounts.ts'
import type { Origin } from '#kernel/audit/audit.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import { mailDomainOf } from '#modules/organizations/index.ts'
import type { Directory, ScimContext } from '../context.ts'
import { requireVersion } from '../protocol/resource.ts'
import { isUserNameTaken, lockPerson, type PersonChange, updatePersonRow } from '../queries/people.ts'
import { noteHeld, requireFewDeactivations } from './deactivation-guard.ts'
import { findMember, type Person, versionOfPerson } from './person.ts'
import type { WantedUser } from './read-user.ts'

export interface PersonWrite {
  directory: Directory
  userId: string
  from: Origin
  ifMatch?: string | undefined
  /** A member who isn't linked yet, or was deleted by the directory before. */
  isCreating?: boolean
  /** Kept of them besides what is wanted. */
  also?: PersonChange
  /** Called again under the lock, where others can no longer change the person. */
  decide(person: Person): WantedUser
}

export const writePerson = async (context: ScimContext, write: PersonWrite): Promise<void> => {
  const { accounts, organizations, clock, db } = context
  const { directory, userId, from } = write
  await organizations.requireWritable(db, directory)
  const before = await findMember(context, db, write)
  const status = statusChange(before, write.decide(before))
  const work: Promise<unknown> =
    status === undefined
      ? accounts.changePrincipal(userId, (tx) => writeFields(context, tx, write))
      : organizations.directory.setStatusUnscoped({
          organizationId: directory.organizationId,
          userId,
          status,
          from,
          alongside: async (tx) => {
            if (status === 'DEACTIVATED') await requireFewDeactivations(context, tx, directory)
            const suspendedAt = status === 'DEACTIVATED' ? clock.now() : null
            await writeFields(context, tx, write, { suspendedAt })
          },
        })
  await refusingTaken(work, { context, directory })
}

/** Undefined where it stays. Whoever deactivated somebody is the one to let them in again. */
const statusChange = ({ user, row }: Person, { active }: WantedUser): AccountStatus | undefined => {
  if (active === undefined || active === (user.status === 'ACTIVE')) return undefined
  if (!active) return 'DEACTIVATED'
  if (user.bannedAt !== null) throw new AppError('banned_by_platform')
  if (!row || row.suspendedAt === null) throw new AppError('deactivated_here')
  return 'ACTIVE'
}

const uniqueViolation = '23505'

/** For whatever may find, when it writes, that a name or an address was taken a moment ago, or that too many would go. */
export const refusingTaken = async <Result>(
  work: Promise<Result>,
  { context, directory }: { context: ScimContext; directory: Directory },
): Promise<Result> => {
  try {
    return await work
  } catch (problem) {
    if ((problem as { code?: unknown }).code === uniqueViolation) throw new AppError('scim_taken', { cause: problem })
    if (problem instanceof AppError && problem.code === 'deactivations_held') await noteHeld(context, directory)
    throw problem
  }
}

const writeFields = async (
  context: ScimContext,
  tx: Db,
  write: PersonWrite,
  also: PersonChange = {},
): Promise<void> => {
  const { accounts, organizations, clock } = context
  const { directory, userId, from, ifMatch, isCreating = false, decide } = write
  const { row, isNew } = await lockPerson(tx, directory, { userId, at: clock.now() })
  if (isCreating && !isNew && row.removedAt === null) throw new AppError('scim_taken')
  const user = await accounts.users.findByIdUnscoped(tx, userId)
  if (user?.organizationId !== directory.organizationId || (!isCreating && row.removedAt !== null))
    throw new AppError('scim_not_found')
  const person = { user, row }
  requireVersion(ifMatch, versionOfPerson(person))
  const wanted = decide(person)
  if (isCreating || wanted.email !== user.email) await requireOwnDomain(context, tx, { directory, wanted })
  const change = {
    ...(wanted.email !== user.email && { email: wanted.email }),
    ...(wanted.name !== user.name && { name: wanted.name }),
  }
  const { organizationId } = directory
  if (Object.keys(change).length > 0)
    await organizations.directory.editUnscoped(tx, {
      organizationId,
      userId,
      change,
      action: 'scim.update_member',
      from,
    })
  await writeRow(context, tx, { directory, userId, wanted, also: { ...write.also, ...also } })
}

interface RowWrite {
  directory: Directory
  userId: string
  wanted: WantedUser
  also?: PersonChange
}

export const writeRow = async (
  { accounts, clock }: ScimContext,
  tx: Db,
  { directory, userId, wanted, also }: RowWrite,
): Promise<void> => {
  const { userName, email, externalId, givenName, familyName } = wanted
  const namesake = userName === email ? undefined : await accounts.users.findByEmailUnscoped(tx, userName)
  const isNamesakes = namesake?.organizationId === directory.organizationId && namesake.id !== userId
  if (isNamesakes || (await isUserNameTaken(tx, directory, { userName, userId }))) throw new AppError('scim_taken')
  await updatePersonRow(tx, directory, userId, {
    externalId,
    userName: userName === email ? null : userName,
    givenName,
    familyName,
    changedAt: clock.now(),
    removedAt: null,
    ...also,
  })
}

/** Whoever controls a directory controls the accounts of its people, so only those of proven domains. */
export const requireOwnDomain = async (
  { organizations }: Pick<ScimContext, 'organizations'>,
  db: Db,
  { directory, wanted }: { directory: Directory; wanted: WantedUser },
): Promise<void> => {
  const domain = mailDomainOf(wanted.email)
  if ((await organizations.listDomainsUnscoped(db, directory.organizationId)).includes(domain)) return
  const detail = `${domain} is not a verified domain of this organization. Verify it under Organization → Sign-in.`
  throw new AppError('scim_invalid_value', { detail })
}
