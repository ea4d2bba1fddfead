import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isRouteAllowed, isWithinPrefix, normalisePath } from './normalise-path.ts'

describe('normalising a path', () => {
  it.each([
    ['/api/models', '/api/models'],
    ['/api/models/', '/api/models'],
    ['//api///models', '/api/models'],
    ['/api/./models', '/api/models'],
    ['/api/models/../chat', '/api/chat'],
    ['/api/models/%2e%2e/chat', '/api/chat'],
    ['/%61pi/models', '/api/models'],
    ['/api/models?x=/../y', '/api/models'],
    ['/../../etc', '/etc'],
  ])('reads %s as %s', (url, path) => expect(normalisePath(url)).toBe(path))

  it.each(['/api%2Fmodels', '/api%5Cmodels', '/api\\models', '/a%252e', '/a%00', '/a%0d%0ab', '/%e0%a4', '/a%7f'])(
    'refuses %s, which two readers could read differently',
    (url) => expect(normalisePath(url)).toBeUndefined(),
  )

  it('is stable, and leaves no dot segment, double slash or escape behind, whatever comes', () => {
    const piece = fc.constantFrom(
      '/',
      '//',
      '..',
      '.',
      'api',
      '%2e',
      '%2f',
      '%252e',
      'models',
      '\\',
      '%41',
      '?',
      '#',
      'ü',
      '%',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const path = normalisePath(`/${pieces.join('')}`)
        if (path === undefined) return
        expect(path.startsWith('/')).toBe(true)
        expect(path).not.toMatch(/\/\/|\\|(^|\/)\.{1,2}(\/|$)/)
        expect(normalisePath(encodeURI(path).replaceAll('%25', '%')) ?? path).toBe(path)
      }),
    )
  })
})

describe('route prefixes of a key', () => {
  it('match whole segments, in the right case', () => {
    expect(isWithinPrefix('/api/models', '/api/models')).toBe(true)
    expect(isWithinPrefix('/api/models/x', '/api/models/')).toBe(true)
    expect(isWithinPrefix('/api/models-secret', '/api/models')).toBe(false)
    expect(isWithinPrefix('/API/models', '/api/models')).toBe(false)
  })

  it('never let an address escape by dots, slashes or escapes', () => {
    const trick = fc.constantFrom(
      '/../chat',
      '//../chat',
      '/%2e%2e/chat',
      '/%2E./chat',
      '/..%2fchat',
      '\\..\\chat',
      '/.././chat',
    )
    fc.assert(
      fc.property(fc.array(trick, { minLength: 1, maxLength: 3 }), (tricks) => {
        const allowed = isRouteAllowed(`/api/models${tricks.join('')}`, ['/api/models'])
        expect(allowed).toBe(false)
      }),
    )
  })

  it('are no limit when absent, and a wall when empty', () => {
    expect(isRouteAllowed('/anything', null)).toBe(true)
    expect(isRouteAllowed('/anything', [])).toBe(false)
  })
})
