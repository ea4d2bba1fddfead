/**
 * The directory brings somebody: a new account without a password and without an email about it, or a member who is here
 * already, who is linked to the directory from now on.
 */
import type { Origin } from '#kernel/audit/audit.ts'
import type { Directory, ScimContext } from '../context.ts'
import type { UserDraft } from '../patch/patch-user.ts'
import { lockPerson, updatePersonRow } from '../queries/people.ts'
import { draftOf, findMember, type Person } from './person.ts'
import { readUser, type WantedUser } from './read-user.ts'
import { type PersonWrite, refusingTaken, requireOwnDomain, writePerson, writeRow } from './write-person.ts'

interface Newcomer {
  directory: Directory
  draft: UserDraft
  from: Origin
}

export const createPerson = async (context: ScimContext, { directory, draft, from }: Newcomer): Promise<Person> => {
  const { accounts, organizations, db } = context
  const wanted = readUser(draft)
  await organizations.requireWritable(db, directory)
  const known = await accounts.users.findByEmailUnscoped(db, wanted.email)
  const isMember = known?.organizationId === directory.organizationId
  const userId = isMember
    ? await link(context, { directory, userId: known.id, wanted, from })
    : await refusingTaken(add(context, { directory, wanted, from }), { context, directory })
  return findMember(context, db, { directory, userId })
}

interface Linking {
  directory: Directory
  userId: string
  wanted: WantedUser
  from: Origin
}

const link = async (context: ScimContext, { wanted, ...whose }: Linking): Promise<string> => {
  const decide = () => ({ ...wanted, active: wanted.active ?? true })
  await writePerson(context, { ...whose, isCreating: true, decide })
  return whose.userId
}

const add = async (context: ScimContext, { directory, wanted, from }: Omit<Linking, 'userId'>): Promise<string> => {
  const { organizations, db, clock } = context
  const { organizationId } = directory
  const { email, name, active } = wanted
  const userId = await db.transaction().execute(async (tx) => {
    await requireOwnDomain(context, tx, { directory, wanted })
    const { id } = await organizations.addMember(tx, { organizationId, email, name, from })
    await lockPerson(tx, directory, { userId: id, at: clock.now() })
    await writeRow(context, tx, { directory, userId: id, wanted })
    return id
  })
  if (active === false) await keepOut(context, { directory, userId, from })
  return userId
}

/** Somebody who is brought inactive could never sign in, so this counts as nobody's deactivation. */
const keepOut = async (
  { organizations, clock }: ScimContext,
  { directory, userId, from }: Omit<Linking, 'wanted'>,
): Promise<void> => {
  const { organizationId } = directory
  await organizations.directory.setStatusUnscoped({
    organizationId,
    userId,
    status: 'DEACTIVATED',
    from,
    alongside: (tx) => updatePersonRow(tx, directory, userId, { suspendedAt: clock.now() }),
  })
}

/** The person stays here, deactivated; to the directory they no longer exist. */
export const deletePerson = (
  context: ScimContext,
  request: Pick<PersonWrite, 'directory' | 'userId' | 'from' | 'ifMatch'>,
): Promise<void> =>
  writePerson(context, {
    ...request,
    also: { removedAt: context.clock.now(), userName: null, externalId: null },
    decide: (person) => ({ ...readUser(draftOf(person)), active: false }),
  })
