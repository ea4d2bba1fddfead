/** A company with a directory of its own, and people in it whom nobody else shares. */
import { randomBytes } from 'node:crypto'
import { Attribute, Change } from 'ldapts'
import type { Slapd } from '../peers/slapd.ts'
import type { TestApp } from './app.ts'

interface Hire {
  uid?: string
  /** `cn` of groups that exist. */
  groups?: string[]
  rdn?: string
}

export const ldapTenant = async (app: TestApp, slapd: Slapd, settings: Record<string, unknown> = {}) => {
  const mark = randomBytes(4).toString('hex')
  const domain = `${mark}.test`
  const boss = await app.user({ org: `Directory ${mark}`, email: `boss@${domain}` })
  const organizationId = boss.organizationId ?? ''
  await app.db
    .insertInto('organizationDomains')
    .values({ domain, organizationId, verifiedAt: new Date(), createdAt: new Date() })
    .execute()

  const usual = {
    url: slapd.url,
    startTls: true,
    caPem: slapd.caPem,
    bindDn: `cn=reader,${slapd.baseDn}`,
    bindPassword: 'readerpw',
    baseDn: slapd.baseDn,
    autoProvision: true,
    ...settings,
  }
  const save = (change: Record<string, unknown> = {}) => boss.put('/api/org/ldap', { ...usual, ...change })
  const saved = await save()
  if (saved.status !== 200) throw new Error(`saving the directory failed: ${saved.text}`)

  /** Somebody new in the directory; their account here comes with their first login. */
  const hire = async ({ uid = `p${randomBytes(4).toString('hex')}`, groups = [], rdn = `uid=${uid}` }: Hire = {}) => {
    const dn = `${rdn},ou=People,${slapd.baseDn}`
    const email = `${uid}@${domain}`
    await slapd.asAdmin(async (client) => {
      await client.add(dn, {
        objectClass: 'inetOrgPerson',
        cn: `Name of ${uid}`,
        sn: uid,
        mail: email,
        userPassword: 'right',
      })
      for (const cn of groups) await join(dn, cn)
    })
    return { dn, email, uid }
  }
  const join = (dn: string, cn: string) => change(dn, cn, 'add')
  const leave = (dn: string, cn: string) => change(dn, cn, 'delete')
  const change = (dn: string, cn: string, operation: 'add' | 'delete') =>
    slapd.asAdmin(async (client) => {
      const modification = new Attribute({ type: 'member', values: [dn] })
      await client.modify(`cn=${cn},ou=Groups,${slapd.baseDn}`, new Change({ operation, modification }))
    })

  return {
    boss,
    organizationId,
    domain,
    usual,
    save,
    hire,
    join,
    leave,
    logIn: (email: string, password: string) => app.newcomer().post('/api/auth/login', { email, password }),
  }
}
