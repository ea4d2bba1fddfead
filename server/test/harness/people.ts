/** Creates people in one line, through the public API where it exists. */
import { randomBytes } from 'node:crypto'
import type { Db } from '#kernel/db/database.ts'
import { systemIds } from '#kernel/ids.ts'
import { bearer, type Client, createClient } from './client.ts'
import { testSecrets } from './secrets.ts'

export const password = 'a perfectly fine passphrase'

export interface Person extends Client {
  id: string
  name: string
  email: string
  token: string
  organizationId: string | null
}

type Role = 'ROLE_USER' | 'ROLE_ORG_ADMIN'

interface PersonOptions {
  name?: string
  email?: string
  /** The first person of an organization registers it and is its admin; later ones are put into it. */
  org?: string
  /** The role of a later one; a member by default. */
  role?: Role
  /** Their email address is proven. */
  isProven?: boolean
}

const uniqueEmail = (name: string): string =>
  `${
    name
      .toLowerCase()
      .match(/[a-z]+/g)
      ?.join('.') ?? 'x'
  }.${randomBytes(4).toString('hex')}@example.test`

let lastAddress = 0

/** Everybody has their own IP address (the tests' proxy is trusted), so that rate limits don't hit tests by accident. */
const ownAddress = (): Record<string, string> => {
  lastAddress += 1
  return { 'x-forwarded-for': `10.${(lastAddress >> 16) & 255}.${(lastAddress >> 8) & 255}.${lastAddress & 255}` }
}

export const createPeople = (url: string, db: Db) => {
  const newcomer = () => createClient(url, ownAddress())
  const organizations = new Map<string, string>()
  let owner: Promise<Person> | undefined

  const signedIn = (body: { token: string; user: Omit<Person, keyof Client | 'token'> }): Person => ({
    ...body.user,
    token: body.token,
    ...createClient(url, { ...bearer(body.token), ...ownAddress() }),
  })

  /** Adds a member without the invitation email, which most tests aren't about. */
  const addMember = async (userId: string, membership: { organizationId: string; role: Role }): Promise<void> => {
    await db.updateTable('users').set(membership).where('id', '=', userId).execute()
  }

  const user = async ({
    name = 'Ana Example',
    email = uniqueEmail(name),
    org,
    role = 'ROLE_USER',
    isProven = false,
  }: PersonOptions = {}): Promise<Person> => {
    const organizationId = org === undefined ? undefined : organizations.get(org)
    const isFounder = org !== undefined && organizationId === undefined
    const { status, body, text } = await newcomer().post('/api/auth/register', {
      name,
      email,
      password,
      ...(isFounder ? { companyName: org } : {}),
    })
    if (status !== 201) throw new Error(`registering failed: ${text}`)
    if (isFounder) organizations.set(org, body.user.organizationId)
    if (isProven)
      await db.updateTable('users').set({ emailProvenAt: new Date() }).where('id', '=', body.user.id).execute()
    if (organizationId === undefined) return signedIn(body)
    await addMember(body.user.id, { organizationId, role })
    const again = await newcomer().post('/api/auth/login', { email, password })
    return signedIn(again.body)
  }

  const setUp = async (): Promise<Person> => {
    const email = uniqueEmail('owner')
    const reply = await newcomer().post('/api/admin/auth/setup', {
      setupKey: testSecrets.ADMIN_SETUP_KEY,
      name: 'Olga Owner',
      email,
      password,
    })
    if (reply.status !== 201) throw new Error(`setting up failed: ${reply.text}`)
    return signedIn(reply.body)
  }

  return {
    /** Somebody without a credential, from one address. */
    anonymous: newcomer(),
    newcomer,
    user,
    /** The first platform admin, made on first use. */
    platformOwner: (): Promise<Person> => {
      owner ??= setUp()
      return owner
    },
    /** An id that doesn't exist. */
    unknownId: () => systemIds.next(),
  }
}
