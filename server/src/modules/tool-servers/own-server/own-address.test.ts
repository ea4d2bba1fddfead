import { describe, expect, it } from 'vitest'
import { isOwnHost, isOwnOrigin } from './own-address.ts'

const ours = 'https://office.example.com'

describe('a request for this server', () => {
  it.each(['office.example.com', 'office.example.com:8443', 'localhost:8080', '127.0.0.1:80', '[::1]:80', 'chancery'])(
    'names it as %s',
    (host) => expect(isOwnHost(host, ours)).toBe(true),
  )

  it.each([
    undefined,
    '',
    'evil.test',
    'office.example.com.evil.test',
    'evil.test.',
    'example.com',
    'a b',
    'evil.test#x',
  ])('is none when it names %s', (host) => expect(isOwnHost(host, ours)).toBe(false))

  it.each([
    [undefined, true],
    ['https://office.example.com', true],
    ['http://127.0.0.1:8080', true],
    ['null', false],
    ['https://evil.test', false],
    ['http://office.example.com', false],
    ['https://office.example.com.evil.test', false],
    ['nonsense', false],
  ])('comes from a page of ours or from none: %s', (origin, isOurs) =>
    expect(isOwnOrigin(origin, '127.0.0.1:8080', ours)).toBe(isOurs),
  )
})
