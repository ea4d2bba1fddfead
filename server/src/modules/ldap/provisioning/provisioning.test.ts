/** Companies are mirrored into a real directory, whatever they are called and whatever happens to it. */
import { sql } from 'kysely'
import type { Entry } from 'ldapts'
import { describe, expect, it, vi } from 'vitest'
import { readVariables } from '#kernel/config/config.ts'
import { type TestApp, testApp } from '#test/harness/app.ts'
import { retryNow } from '#test/harness/jobs.ts'
import { addMembers } from '#test/harness/many-members.ts'
import { describeWithSlapd, startSlapd } from '#test/peers/slapd.ts'
import { ldapVariables } from '../config.ts'
import { parseDn } from '../dn.ts'
import { readMirrorTarget } from './mirror-target.ts'

describeWithSlapd('the provisioning directory', async () => {
  const slapd = await startSlapd({ isEmpty: true })
  const app = await testApp({
    env: {
      LDAP_PROVISIONING_ENABLED: 'true',
      LDAP_URL: slapd.url,
      LDAP_CA_FILE: slapd.caFile,
      LDAP_BASE_DN: slapd.baseDn,
      LDAP_BIND_DN: slapd.adminDn,
      LDAP_BIND_PASSWORD: slapd.adminPassword,
    },
  })

  const companiesDn = () => `ou=companies,${slapd.baseDn}`
  const everything = async (): Promise<Entry[]> => {
    const attributes = ['*', 'entryUUID', 'memberOf']
    const { searchEntries } = await slapd.asAdmin((client) => client.search(slapd.baseDn, { attributes }))
    return searchEntries
  }
  const eventually = <Result>(look: (entries: Entry[]) => Result): Promise<Result> =>
    vi.waitFor(async () => look(await everything()), { timeout: 25_000, interval: 50 })

  /** The company's unit, by the mark it carries, and what is below it. */
  const unitOf = (entries: Entry[], organizationId: string | null) => {
    const levels = (parseDn(companiesDn())?.length ?? 0) + 1
    const isUnit = ({ dn, description }: Entry) =>
      description === `chancery:${organizationId}` && dn.endsWith(companiesDn()) && parseDn(dn)?.length === levels
    const unit = entries.find(isUnit)
    if (!unit) throw new Error('the company has no unit yet')
    return unit
  }
  const childNames = (entries: Entry[], parentDn: string) =>
    entries
      .filter(({ dn }) => dn.endsWith(`,${parentDn}`) && parseDn(dn)?.length === (parseDn(parentDn)?.length ?? 0) + 1)
      .map(({ dn }) => parseDn(dn)?.[0]?.[0]?.value)
      .sort()
  const below = (entries: Entry[], organizationId: string | null, container: string) =>
    childNames(entries, `ou=${container},${unitOf(entries, organizationId).dn}`)

  it('gets a unit with People, Groups and Departments for each company', async () => {
    const boss = await app.user({ org: 'Mirror One', name: 'Ana María Example' })
    const entries = await eventually((all) => {
      expect(below(all, boss.organizationId, 'People')).toEqual([boss.id])
      return all
    })
    const unit = unitOf(entries, boss.organizationId)
    expect(unit.dn).toBe(`ou=Mirror One,${companiesDn()}`)
    expect(childNames(entries, unit.dn)).toEqual(['Departments', 'Groups', 'People'])
    expect(entries.find(({ uid }) => uid === boss.id)).toMatchObject({
      objectClass: 'inetOrgPerson',
      cn: 'Ana María Example',
      sn: 'Example',
      mail: boss.email,
    })
    const record = await app.db
      .selectFrom('ldapEntries')
      .selectAll()
      .where('kind', '=', 'company')
      .where('subjectId', '=', boss.organizationId ?? '')
      .executeTakeFirstOrThrow()
    expect(record).toMatchObject({ entryUuid: unit.entryUUID, entryName: 'Mirror One' })
  })

  it('has the last of more than 5,000 people, and removes them when they leave', async () => {
    const org = 'Mirror Crowd'
    const boss = await app.user({ org })
    await addMembers(app.db, boss.organizationId, { isActive: false })
    const zed = await app.user({ org, name: 'Zed Zander' })
    await boss.post('/api/org/groups', { name: 'Some' })
    await eventually((all) => expect(below(all, boss.organizationId, 'People')).toEqual([boss.id, zed.id].sort()))
    await boss.post(`/api/org/team/${zed.id}/deactivate`)
    await eventually((all) => expect(below(all, boss.organizationId, 'People')).toEqual([boss.id]))
  })

  it.each([
    'Acme, "R&D" + <Labs>; #1=\\x',
    ' #leading and trailing ',
    'ou=evil,dc=example,dc=org',
    'Ünïcödé 株式会社',
    'A very long name that goes on and on, far beyond what any directory would take as one name, really',
  ])('makes exactly one unit for a company called %j', async (org) => {
    const before = childNames(await everything(), companiesDn())
    const boss = await app.user({ org })
    const entries = await eventually((all) => {
      expect(below(all, boss.organizationId, 'People')).toEqual([boss.id])
      return all
    })
    const unit = unitOf(entries, boss.organizationId)
    const value = parseDn(unit.dn)?.[0]?.[0]?.value ?? ''
    expect(org.trim().startsWith(value)).toBe(true)
    expect(Buffer.byteLength(value)).toBeLessThanOrEqual(64)
    expect(unit.ou).toBe(value)
    expect(childNames(entries, companiesDn())).toHaveLength(before.length + 1)
  })

  it('keeps two companies apart whose names the directory would take for one', async () => {
    const [one, two] = await Promise.all([app.user({ org: 'Twins' }), app.user({ org: 'TWINS' })])
    const entries = await eventually((all) => {
      for (const { organizationId, id } of [one, two]) expect(below(all, organizationId, 'People')).toEqual([id])
      return all
    })
    const names = [one, two].map(({ organizationId }) => String(unitOf(entries, organizationId).ou).toLowerCase())
    expect(names.sort()).toEqual(['twins', 'twins 2'])
  })

  it('leaves an entry alone that somebody else made under the same name', async () => {
    await slapd.asAdmin((client) =>
      client.add(`ou=Squatter,${companiesDn()}`, { objectClass: 'organizationalUnit', ou: 'Squatter' }),
    )
    const boss = await app.user({ org: 'Squatter' })
    const unit = await eventually((all) => unitOf(all, boss.organizationId))
    expect(unit.ou).toBe('Squatter 2')
  })

  it('adopts what an earlier pass created but had no time to record', async () => {
    const boss = await app.user({ org: 'Interrupted' })
    const unit = await eventually((all) => {
      expect(below(all, boss.organizationId, 'People')).toEqual([boss.id])
      return unitOf(all, boss.organizationId)
    })
    const organizationId = boss.organizationId ?? ''
    await app.db.deleteFrom('ldapEntries').where('organizationId', '=', organizationId).execute()
    await boss.post('/api/org/groups', { name: 'Later' })
    const entries = await eventually((all) => {
      expect(below(all, organizationId, 'Groups')).toEqual(['Later'])
      return all
    })
    expect(unitOf(entries, organizationId).entryUUID).toBe(unit.entryUUID)
    expect(below(entries, organizationId, 'People')).toEqual([boss.id])
    expect(childNames(entries, companiesDn()).filter((name) => name?.startsWith('Interrupted'))).toHaveLength(1)
  })

  describe('with groups and departments', () => {
    it('follows them: made, renamed in target, filled, emptied, deleted', async () => {
      const boss = await app.user({ org: 'Divided' })
      const group = (await boss.post('/api/org/groups', { name: 'Sales, "East"', memberIds: [boss.id] })).body
      const department = (await boss.post('/api/org/departments', { name: 'R&D', memberIds: [boss.id] })).body
      const groupEntry = (all: Entry[]) => all.find(({ description }) => description === `chancery:${group.id}`)
      const first = await eventually((all) => {
        expect(below(all, boss.organizationId, 'Departments')).toEqual(['R&D'])
        const entry = groupEntry(all)
        expect(entry).toMatchObject({ cn: 'Sales, "East"', objectClass: 'groupOfNames' })
        expect(String(entry?.member)).toContain(boss.id)
        expect(all.find(({ uid }) => uid === boss.id)).toMatchObject({ memberOf: entry?.dn, ou: 'R&D' })
        return entry
      })

      await boss.patch(`/api/org/groups/${group.id}`, { name: 'Sales + West', memberIds: [] })
      await eventually((all) => {
        expect(groupEntry(all)).toMatchObject({ cn: 'Sales + West', entryUUID: first?.entryUUID })
        expect(String(groupEntry(all)?.member)).toMatch(/^cn=placeholder,/)
        expect(below(all, boss.organizationId, 'Groups')).toEqual(['Sales + West'])
      })

      await boss.delete(`/api/org/groups/${group.id}`)
      await boss.delete(`/api/org/departments/${department.id}`)
      await eventually((all) => {
        expect(below(all, boss.organizationId, 'Groups')).toEqual([])
        expect(below(all, boss.organizationId, 'Departments')).toEqual([])
        expect(all.find(({ uid }) => uid === boss.id)?.ou).toBeUndefined()
      })
    })

    it('takes people out who are deactivated, and back in', async () => {
      const org = 'Comings and goings'
      const [boss, member] = [await app.user({ org }), await app.user({ org })]
      await boss.post('/api/org/groups', { name: 'Both', memberIds: [boss.id, member.id] })
      const both = [boss.id, member.id].sort()
      await eventually((all) => expect(below(all, boss.organizationId, 'People')).toEqual(both))
      await boss.post(`/api/org/team/${member.id}/deactivate`)
      await eventually((all) => {
        expect(below(all, boss.organizationId, 'People')).toEqual([boss.id])
        expect(String(all.find(({ cn }) => cn === 'Both')?.member)).not.toContain(member.id)
      })
      await boss.post(`/api/org/team/${member.id}/reactivate`)
      await eventually((all) => expect(below(all, boss.organizationId, 'People')).toEqual(both))
    })
  })

  it('renames the unit with the company, and everything in it stays', async () => {
    const boss = await app.user({ org: 'Before' })
    const unit = await eventually((all) => {
      expect(below(all, boss.organizationId, 'People')).toEqual([boss.id])
      return unitOf(all, boss.organizationId)
    })
    await boss.patch('/api/org/settings', { name: 'After, Inc.' })
    await eventually((all) => {
      expect(unitOf(all, boss.organizationId)).toMatchObject({ entryUUID: unit.entryUUID, ou: 'After, Inc.' })
      expect(below(all, boss.organizationId, 'People')).toEqual([boss.id])
    })
  })

  it('is not confused when somebody renames a unit there', async () => {
    const boss = await app.user({ org: 'Moved' })
    const unit = await eventually((all) => {
      expect(below(all, boss.organizationId, 'Groups')).toEqual([])
      expect(below(all, boss.organizationId, 'People')).toEqual([boss.id])
      return unitOf(all, boss.organizationId)
    })
    await slapd.asAdmin((client) => client.modifyDN(unit.dn, 'ou=By hand'))
    await boss.post('/api/org/groups', { name: 'After the move' })
    const entries = await eventually((all) => {
      expect(below(all, boss.organizationId, 'Groups')).toEqual(['After the move'])
      return all
    })
    expect(unitOf(entries, boss.organizationId)).toMatchObject({ ou: 'By hand', entryUUID: unit.entryUUID })
    expect(childNames(entries, companiesDn())).not.toContain('Moved')
  })

  it('lets companies register while it is away, and catches up when it is back', async () => {
    await slapd.stop()
    const boss = await app.user({ org: 'Registered in the dark' })
    expect((await boss.post('/api/org/groups', { name: 'Candles' })).status).toBe(201)
    await vi.waitFor(async () => expect(await countFailedPasses(app)).toBeGreaterThan(0), 20_000)
    await slapd.start()
    await retryNow(app.db, 'ldap.mirror-company', { organizationId: boss.organizationId })
    await eventually((all) => {
      expect(unitOf(all, boss.organizationId).ou).toBe('Registered in the dark')
      expect(below(all, boss.organizationId, 'Groups')).toEqual(['Candles'])
    })
  })
})

/** Passes that have failed and wait for another try. */
const countFailedPasses = async (app: TestApp): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*) from pgboss.job where name = 'ldap.mirror-company' and state = 'retry'`.execute(app.db)
  return rows[0]?.count ?? 0
}

describe('half a configuration of the directory', () => {
  const whole = {
    LDAP_PROVISIONING_ENABLED: 'true',
    LDAP_URL: 'ldaps://directory.example.com',
    LDAP_BASE_DN: 'dc=example,dc=com',
    LDAP_BIND_DN: 'cn=writer,dc=example,dc=com',
    LDAP_BIND_PASSWORD: 'secret',
  }

  it.each(['LDAP_URL', 'LDAP_BASE_DN', 'LDAP_BIND_DN', 'LDAP_BIND_PASSWORD'])('is refused without %s', (name) => {
    expect(() => readMirrorTarget(readVariables(ldapVariables, { ...whole, [name]: '' }))).toThrow(name)
  })

  it.each([
    ['LDAP_BASE_DN', 'example.com'],
    ['LDAP_BIND_DN', 'EXTERNAL'],
    ['LDAP_CA_FILE', '/nowhere/ca.pem'],
  ])('is refused with a wrong %s', (name, value) => {
    expect(() => readMirrorTarget(readVariables(ldapVariables, { ...whole, [name]: value }))).toThrow(name)
  })

  it('asks for nothing while it is switched off', () => {
    expect(readMirrorTarget(readVariables(ldapVariables, {}))).toBeUndefined()
    expect(readMirrorTarget(readVariables(ldapVariables, whole))).toMatchObject({ baseDn: whole.LDAP_BASE_DN })
  })
})
