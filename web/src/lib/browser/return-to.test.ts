import { describe, expect, it } from 'vitest'
import { safeReturnTo } from './return-to.ts'

describe('the page to return to after sign-in', () => {
  it.each(['/', '/account/api-keys', '/platform/users?search=ana&page=2', '/chat/1#last'])('may be %s', (path) => {
    expect(safeReturnTo(path)).toBe(path)
  })

  it.each([
    undefined,
    '',
    'account',
    'https://evil.example/',
    'javascript:alert(1)',
    '//evil.example/',
    '/\\evil.example/',
    '/\t/evil.example/',
    '/\n\\evil.example',
    '/..//evil.example',
    '/.//evil.example',
    '\\\\evil.example',
    ' //evil.example',
  ])('is never %j', (path) => {
    expect(safeReturnTo(path)).toBeUndefined()
  })
})
