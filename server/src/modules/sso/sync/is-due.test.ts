import { expect, it } from 'vitest'
import type { SeenPerson } from './directory-diff.ts'
import { createDirectoryDigest, digestOf } from './directory-digest.ts'
import { isDue, retryAt } from './is-due.ts'
import type { SyncState } from './state-queries.ts'

const hourMs = 3_600_000
const now = new Date('2026-11-19T12:00:00Z')
const ago = (hours: number) => new Date(now.getTime() - hours * hourMs)

const agreed: SyncState = {
  organizationId: '00000000-0000-4000-8000-000000000000',
  digest: 'same',
  changes: 0,
  passedAt: ago(1),
  requestedAt: null,
  tries: 0,
  retryAt: null,
}

it.each<[string, boolean, Partial<SyncState>, string?]>([
  ['nothing changed', false, {}],
  ['the directory changed', true, {}, 'other'],
  ['something changed here', true, { digest: null }],
  ['the last pass is a day old', true, { passedAt: ago(24) }],
  ['a pass is under way', false, { digest: null, requestedAt: ago(0.5) }, 'other'],
  ['a pass was lost', true, { digest: null, requestedAt: ago(1) }],
  ['something was left out a moment ago', false, { retryAt: ago(-1) }],
  ['something was left out, and the directory changed', true, { retryAt: ago(-1) }, 'other'],
  ['something was left out long ago', true, { retryAt: ago(0) }],
  ['it failed a moment ago', false, { digest: null, retryAt: ago(-1) }, 'other'],
  ['it failed long ago', true, { digest: null, retryAt: ago(0) }],
])('when %s, a pass is due: %s', (_what, due, change, digest = 'same') => {
  expect(isDue({ ...agreed, ...change }, { digest, now })).toBe(due)
})

it('a company that was never read is due', () => {
  expect(isDue(undefined, { digest: 'any', now })).toBe(true)
})

it('the wait doubles up to six hours', () => {
  const waits = [1, 2, 3, 30].map((tries) => retryAt(tries, { now, everyMs: 300_000 }).getTime() - now.getTime())
  expect(waits).toEqual([600_000, 1_200_000, 2_400_000, 6 * hourMs])
})

const person = (subject: string, change: Partial<SeenPerson> = {}): SeenPerson => ({
  subject,
  email: `${subject}@acme.test`,
  isVerified: true,
  name: subject,
  role: 'ROLE_USER',
  enabled: true,
  ...change,
})

it('a digest says nothing of the order, and everything of the people', () => {
  const both = digestOf([person('a'), person('b')])
  expect(digestOf([person('b'), person('a')])).toBe(both)
  const others = [
    [],
    [person('a')],
    [person('a'), person('a')],
    [person('a'), person('b', { role: 'ROLE_ORG_ADMIN' })],
    [person('a'), person('b', { role: undefined })],
    [person('a'), person('b', { enabled: false })],
    [person('a'), person('b', { name: undefined })],
    [person('a'), person('b', { isVerified: false })],
    [person('a'), person('b', { email: 'else@acme.test' })],
  ].map(digestOf)
  expect(new Set([both, ...others]).size).toBe(others.length + 1)
  expect(createDirectoryDigest().text()).toBe(digestOf([]))
})
