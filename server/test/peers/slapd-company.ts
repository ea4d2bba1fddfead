/** The people of the company whose directory the tests use. Passwords are the first name and `pw`. */

type Entry = [dn: string, attributes: Record<string, string | string[]>]

const person = (baseDn: string, uid: string, name: string): Entry => [
  `uid=${uid},ou=People,${baseDn}`,
  {
    objectClass: 'inetOrgPerson',
    uid,
    cn: name,
    sn: name.split(' ').at(-1) ?? name,
    mail: `${uid}@acme.test`,
    userPassword: `${uid}pw`,
  },
]

const group = (baseDn: string, cn: string, members: readonly string[]): Entry => [
  `cn=${cn},ou=Groups,${baseDn}`,
  { objectClass: 'groupOfNames', cn, member: members.map((member) => `${member},${baseDn}`) },
]

/** Alice is in leads, leads is in bosses: by that she is a boss. Staff and circle contain each other. */
export const companyEntries = (baseDn: string, { isEmpty = false }: { isEmpty?: boolean } = {}): Entry[] => {
  const root: Entry = [baseDn, { objectClass: ['dcObject', 'organization'], dc: 'example', o: 'Example' }]
  if (isEmpty) return [root]
  return [
    root,
    [`ou=People,${baseDn}`, { objectClass: 'organizationalUnit', ou: 'People' }],
    [`ou=Groups,${baseDn}`, { objectClass: 'organizationalUnit', ou: 'Groups' }],
    [
      `cn=reader,${baseDn}`,
      { objectClass: ['organizationalRole', 'simpleSecurityObject'], cn: 'reader', userPassword: 'readerpw' },
    ],
    person(baseDn, 'alice', 'Alice Able'),
    person(baseDn, 'bob', 'Bob Baker'),
    person(baseDn, 'carol', 'Carol Cook'),
    person(baseDn, 'dave', 'Dave Dorn'),
    group(baseDn, 'leads', ['uid=alice,ou=People']),
    group(baseDn, 'bosses', ['cn=leads,ou=Groups']),
    group(baseDn, 'staff', ['uid=alice,ou=People', 'uid=bob,ou=People', 'cn=circle,ou=Groups']),
    group(baseDn, 'circle', ['cn=staff,ou=Groups']),
  ]
}
