import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { returnPath } from './return-path.ts'

describe('where a login leads back to', () => {
  it.each(['/', '/chats/1', '/a?b=c#d', '/sign-in?next=%2F%2Fevil.test', '/a//b'])('is %s as asked', (path) =>
    expect(returnPath(path)).toBe(path),
  )

  it.each([
    undefined,
    '',
    'chats',
    'https://evil.test/',
    '//evil.test',
    '/\\evil.test',
    '\\\\evil.test',
    '/\t/evil.test',
    '/\n/evil.test',
    ' //evil.test',
    '/.//evil.test',
    '/x/..//evil.test',
    'javascript:alert(1)',
    `/${'a'.repeat(2001)}`,
  ])('is the first page instead of %j', (path) => expect(returnPath(path)).toBe('/'))

  it('never leaves the site, whatever is asked', () => {
    const piece = fc.constantFrom(
      '/',
      '\\',
      '.',
      '..',
      ':',
      '@',
      '?',
      '#',
      '%2f',
      '\t',
      '\r\n',
      'evil.test',
      'http:',
      ' ',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const path = returnPath(pieces.join(''))
        expect(new URL(path, 'https://ours.test').origin).toBe('https://ours.test')
        expect(path).toMatch(/^\/(?![/\\])[^\r\n]*$/)
      }),
      { numRuns: 2000 },
    )
  })
})
