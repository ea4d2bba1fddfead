/** The organization and its people, who may sign in at once. Each comes with a session, which the caller ends. */
import { Client } from '@chancery/client'
import { unitEndpoints } from '@chancery/contract/endpoints/units.ts'
import type { Db } from '#kernel/db/database.ts'
import { asPrincipal } from '#modules/accounts/index.ts'
import { company, departments, domain, groups, type Member, members } from './content/company.ts'
import type { DemoContext, Person, Scene } from './context.ts'
import { createRandom } from './random.ts'

const seed = 20_417
const gibibyte = 1024 ** 3
const plan = { plan: 'Business', maxMembers: 50, maxDocumentsPerMonth: 1000, maxStorageBytes: 100 * gibibyte }

export const firstNameOf = (name: string): string => name.split(' ')[0]?.toLowerCase() ?? name

const emailOf = (name: string): string =>
  `${name
    .toLowerCase()
    .normalize('NFD')
    .replace(/[^a-z ]/g, '')
    .replace(' ', '.')}@${domain}`

/** All or nothing. */
export const makeCompany = async (
  context: DemoContext,
  { address, password }: { address: string; password: string },
): Promise<Scene> => {
  const { accounts, clock, db, organizations } = context
  const passwordHash = await accounts.passwords.hash(password)
  const now = clock.now()
  const { organizationId, people } = await db.transaction().execute(async (tx) => {
    const { id } = await organizations.createUnscoped(tx, { name: company, ...plan })
    await tx.insertInto('demoOrganizations').values({ organizationId: id, createdAt: now }).execute()
    const found: Person[] = []
    for (const member of members) found.push(await addPerson(context, tx, { member, passwordHash, address, id }))
    return { organizationId: id, people: found }
  })
  const byName = new Map(people.map((person) => [firstNameOf(person.name), person]))
  const person = (name: string): Person => {
    const one = byName.get(name)
    if (!one) throw new Error(`nobody of the demo is called ${name}`)
    return one
  }
  return {
    context,
    organizationId,
    people,
    person,
    visitor: new Client({ url: address }),
    random: createRandom(seed),
    now,
  }
}

const addPerson = async (
  { accounts, organizations }: DemoContext,
  tx: Db,
  {
    member,
    passwordHash,
    address,
    id: organizationId,
  }: { member: Member; passwordHash: string; address: string; id: string },
): Promise<Person> => {
  const { name } = member
  const email = emailOf(name)
  const role = member.isAdmin ? 'ROLE_ORG_ADMIN' : 'ROLE_USER'
  const user = await accounts.users.create(tx, { name, email, passwordHash, role, organizationId, isEmailProven: true })
  await organizations.announce(tx, { type: 'member_added', organizationId, userId: user.id })
  const from = { ip: '127.0.0.1', userAgent: null, requestId: 'demo' }
  const { token } = await accounts.sessions.open(tx, { principal: asPrincipal(user), from, method: 'new' })
  return Object.assign(new Client({ url: address, token }), { id: user.id, name, email })
}

export const makeUnits = async ({ person }: Scene): Promise<void> => {
  const admin = person('maya')
  const kinds = [
    ['group', groups],
    ['department', departments],
  ] as const
  for (const [kind, units] of kinds)
    for (const [name, names] of Object.entries(units))
      await admin.call(unitEndpoints(kind).create, {
        body: { name, memberIds: names.map((one) => person(one).id) },
      })
}
