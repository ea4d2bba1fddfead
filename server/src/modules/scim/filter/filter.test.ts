import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AppError } from '#kernel/errors.ts'
import { matches, type Value } from './matches.ts'
import { parseFilter, parsePath } from './parse-filter.ts'

describe('a filter', () => {
  it.each([
    ['userName eq "bjensen"', { op: 'eq', path: 'username', value: 'bjensen' }],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName sw "J"', { op: 'sw', path: 'username', value: 'J' }],
    ['active EQ true', { op: 'eq', path: 'active', value: true }],
    ['title pr', { op: 'pr', path: 'title' }],
    [
      'meta.lastModified gt "2011-05-13T04:42:34Z"',
      { op: 'gt', path: 'meta.lastmodified', value: '2011-05-13T04:42:34Z' },
    ],
    ['externalId eq "a \\"quoted\\" id"', { op: 'eq', path: 'externalid', value: 'a "quoted" id' }],
    ['not (a pr)', { op: 'not', of: { op: 'pr', path: 'a' } }],
    ['emails[type eq "work"]', { op: 'eq', path: 'emails.type', value: 'work' }],
    ['manager eq null', { op: 'eq', path: 'manager', value: null }],
  ])('%s is read', (text, filter) => expect(parseFilter(text)).toEqual(filter))

  it('binds “and” closer than “or”, and parentheses closer than both', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((path) => ({ op: 'pr', path }))
    expect(parseFilter('a pr or b pr and c pr')).toEqual({ op: 'or', of: [a, { op: 'and', of: [b, c] }] })
    expect(parseFilter('(a pr or b pr) and c pr')).toEqual({ op: 'and', of: [{ op: 'or', of: [a, b] }, c] })
  })

  it.each([
    '',
    'userName',
    'userName eq',
    'userName eq bjensen',
    'userName is "x"',
    'userName eq "x" and',
    '(userName eq "x"',
    'userName eq "x")',
    'emails[type eq "work"',
    'not userName pr',
    'userName eq "\\u0000"',
    'userName eq "\\ud800"',
    '; drop table users',
    `userName eq "${'x'.repeat(5000)}"`,
    `${'('.repeat(1000)}a pr${')'.repeat(1000)}`,
    Array(200).fill('a pr').join(' or '),
  ])('is refused: %.40s', (text) => {
    expect(() => parseFilter(text)).toThrow(expect.objectContaining({ code: 'scim_invalid_filter' }))
  })

  it('is read or refused, whatever comes, and what is read can be tried', () => {
    const piece = fc.constantFrom(
      '(',
      ')',
      '[',
      ']',
      '"',
      'and',
      'or',
      'not',
      'pr',
      'eq',
      'co',
      'a',
      'a.b',
      '.c',
      '"x"',
      '1',
      'true',
      ' ',
      '\\',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece, { maxLength: 40 }).map((all) => all.join(' ')),
        ),
        (text) => {
          try {
            matches(parseFilter(text), () => ['x'])
          } catch (problem) {
            expect((problem as AppError).code).toBe('scim_invalid_filter')
          }
        },
      ),
    )
  })

  it.each([
    ['name co "NN"', true],
    ['name eq "ana"', false],
    ['name eq "anna"', true],
    ['name ne "anna"', false],
    ['name ew "a" and not (active eq false)', true],
    ['active eq "True"', true],
    ['missing pr or name pr', true],
    ['missing eq null', true],
    ['tags eq "b"', true],
    ['time ge "2026-01-01T00:00:00Z"', true],
  ])('%s holds of Anna: %s', (text, expected) => {
    const anna: Record<string, Value[]> = {
      name: ['Anna'],
      active: [true],
      tags: ['a', 'B'],
      time: ['2026-02-01T00:00:00Z'],
    }
    expect(matches(parseFilter(text), (path) => anna[path] ?? [])).toBe(expected)
  })
})

describe('a path', () => {
  it.each([
    ['userName', { attribute: 'username' }],
    ['name.familyName', { attribute: 'name', sub: 'familyname' }],
    ['urn:ietf:params:scim:schemas:core:2.0:User:name.givenName', { attribute: 'name', sub: 'givenname' }],
    ['members[value eq "1"]', { attribute: 'members', filter: { op: 'eq', path: 'members.value', value: '1' } }],
    [
      'emails[type eq "work"].value',
      { attribute: 'emails', filter: { op: 'eq', path: 'emails.type', value: 'work' }, sub: 'value' },
    ],
  ])('%s is read', (text, path) => expect(parsePath(text)).toEqual(path))

  it('of an extension is one attribute, which nobody keeps', () => {
    const path = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department'
    expect(parsePath(path)).toEqual({ attribute: path.toLowerCase() })
  })

  it.each(['', 'a b', 'emails[', 'emails[type eq "work"] value', 'emails[type eq "work"].value.more x'])(
    'is refused: %s',
    (text) => expect(() => parsePath(text)).toThrow(expect.objectContaining({ code: 'scim_invalid_path' })),
  )
})
