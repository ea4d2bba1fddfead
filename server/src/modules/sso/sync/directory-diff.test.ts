import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  diffDirectory,
  isRefusedRemoval,
  type KnownPerson,
  readAddress,
  readName,
  type SeenPerson,
} from './directory-diff.ts'

const seen = (subject: string, more: Partial<SeenPerson> = {}): SeenPerson => ({
  subject,
  email: `${subject}@acme.test`,
  isVerified: true,
  name: subject,
  role: 'ROLE_USER',
  enabled: true,
  ...more,
})
const known = (subject: string, more: Partial<KnownPerson> = {}): KnownPerson => ({
  id: `id of ${subject}`,
  subject,
  email: `${subject}@acme.test`,
  name: subject,
  role: 'ROLE_USER',
  status: 'ACTIVE',
  isSuspended: false,
  isChanging: false,
  ...more,
})
const nothing = { add: [], link: [], update: [], deactivate: [], reactivate: [] }

describe('comparing with the directory', () => {
  it('finds nothing to do where both agree', () => expect(diffDirectory([seen('a')], [known('a')])).toEqual(nothing))

  it('adds who is new and enabled, with an address', () => {
    const plan = diffDirectory([seen('a'), seen('b', { enabled: false }), seen('c', { email: undefined })], [])
    expect(plan.add.map(({ subject }) => subject)).toEqual(['a'])
  })

  it('links by a verified address only', () => {
    const founder = known('a', { subject: undefined })
    expect(diffDirectory([seen('a')], [founder]).link).toEqual([{ userId: founder.id, subject: 'a' }])
    expect(diffDirectory([seen('a', { isVerified: false })], [founder]).link).toEqual([])
  })

  it('takes no role from somebody it meets for the first time', () => {
    const founder = known('a', { subject: undefined, role: 'ROLE_ORG_ADMIN' })
    expect(diffDirectory([seen('a')], [founder]).update).toEqual([])
  })

  it('deactivates who is disabled and who is gone, but nobody who never came from there', () => {
    const people = [known('a'), known('b'), known('c', { subject: undefined })]
    const { deactivate } = diffDirectory([seen('a', { enabled: false })], people)
    expect(deactivate).toEqual([
      { userId: 'id of a', isGone: false },
      { userId: 'id of b', isGone: true },
    ])
  })

  it('lets in again only whom a pass has deactivated', () => {
    const people = [known('a', { status: 'DEACTIVATED', isSuspended: true }), known('b', { status: 'DEACTIVATED' })]
    expect(diffDirectory([seen('a'), seen('b')], people).reactivate).toEqual(['id of a'])
  })

  it('waits for changes that are on their way there', () => {
    const people = [known('a', { isChanging: true, role: 'ROLE_ORG_ADMIN' }), known('b', { isChanging: true })]
    expect(diffDirectory([seen('a')], people)).toEqual(nothing)
  })

  it('never plans two fates for one person', () => {
    const subject = fc.constantFrom('a', 'b', 'c', 'd')
    const status = fc.constantFrom('ACTIVE' as const, 'DEACTIVATED' as const)
    const people = fc.uniqueArray(fc.record({ subject, status, isSuspended: fc.boolean(), isChanging: fc.boolean() }), {
      selector: (person) => person.subject,
    })
    const listed = fc.uniqueArray(fc.record({ subject, enabled: fc.boolean() }), {
      selector: (person) => person.subject,
    })
    fc.assert(
      fc.property(people, listed, (ours, theirs) => {
        const plan = diffDirectory(
          theirs.map((person) => seen(person.subject, person)),
          ours.map((person) => known(person.subject, person)),
        )
        const removed = new Set(plan.deactivate.map(({ userId }) => userId))
        expect(plan.reactivate.filter((id) => removed.has(id))).toEqual([])
        expect(plan.update.filter(({ userId }) => removed.has(userId))).toEqual([])
        expect(plan.add.filter((person) => ours.some((own) => own.subject === person.subject))).toEqual([])
      }),
    )
  })
})

describe('a mass removal', () => {
  const people = (count: number) => Array.from({ length: count }, (_, index) => known(`p${index}`))
  it.each([
    [3, 3, false],
    [4, 10, true],
    [4, 20, false],
    [5, 20, true],
    [4, 19, true],
  ])('of %i of %i: %s', (removed, count, isTooMany) => expect(isRefusedRemoval(removed, people(count))).toBe(isTooMany))
})

describe('what the directory sends', () => {
  it('is read as far as it fits', () => {
    expect(readAddress(' Ana@ACME.test ')).toBe('ana@acme.test')
    for (const bad of [undefined, '', 'no address', 'a@b\0.test']) expect(readAddress(bad)).toBeUndefined()
    expect(readName('Ana', undefined)).toBe('Ana')
    expect(readName('A\u0000na', 'B')).toBeUndefined()
    expect(readName(undefined, '')).toBeUndefined()
  })
})
