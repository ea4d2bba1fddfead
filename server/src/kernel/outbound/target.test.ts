import { describe, expect, it } from 'vitest'
import { hostPortOf, parseExceptions, parseHost, parseTarget } from './target.ts'

const parse = (address: string, named: string[] = []) => parseTarget(address, (hostPort) => named.includes(hostPort))
const blocked = expect.objectContaining({ code: 'outbound_blocked' })

describe('an address to reach', () => {
  it.each([
    ['https://Example.COM', 'https://example.com/', 'example.com:443'],
    ['http://example.com.:8080/a?b#c', 'http://example.com:8080/a?b', 'example.com:8080'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example/', 'xn--bcher-kva.example:443'],
    ['http://[2A00::1]:81/', 'http://[2a00::1]:81/', '[2a00::1]:81'],
  ])('reads %s once, as %s', (address, href, hostPort) => {
    const target = parse(address)
    expect([target.address.href, target.address.hostPort, target.isException]).toEqual([href, hostPort, false])
  })

  it.each([
    'http://exam\tple.com/',
    'http://example.com\\@a.com/',
    'http:\\\\example.com',
    'https://example.com/\r\nx',
    ' https://example.com',
  ])('refuses %j, which readers understand differently', (address) =>
    expect(() => parse(address)).toThrowError(blocked),
  )

  it('lets an exact exception pass on any port, and nothing beside it', () => {
    const named = ['localhost:6379', '10.0.0.5:11434']
    expect(parse('http://localhost.:6379/', named).isException).toBe(true)
    expect(parse('http://0xa.5:11434/api', named).isException).toBe(true)
    expect(() => parse('http://localhost:6380/', named)).toThrowError(blocked)
    expect(() => parse('http://sub.localhost:6379/', named)).toThrowError(blocked)
    expect(parse('http://10.0.0.5:11435/', named).isException).toBe(false)
  })

  it('never lets an exception excuse another scheme or a password', () => {
    expect(() => parse('ftp://localhost:6379/', ['localhost:6379'])).toThrowError(blocked)
    expect(() => parse('http://me:secret@localhost:6379/', ['localhost:6379'])).toThrowError(blocked)
  })

  it('names the host and port of a configured address as the exceptions do', () => {
    for (const [address, expected] of [
      ['http://Ollama.Internal.:11434/api', 'ollama.internal:11434'],
      ['https://models.example', 'models.example:443'],
      ['http://127.1', '127.0.0.1:80'],
      ['http://[::1]:8000/v1', '[::1]:8000'],
    ] as const) {
      expect(hostPortOf(address)).toBe(expected)
      expect(parse(address, [hostPortOf(address)]).isException).toBe(true)
    }
  })
})

describe('the list of exceptions', () => {
  it('is read in one form', () => {
    expect([...parseExceptions(['LocalHost:8080', 'db.internal.:080', '[::1]:9000', '127.1:443'])]).toEqual([
      'localhost:8080',
      'db.internal:80',
      '[::1]:9000',
      '127.0.0.1:443',
    ])
  })

  it.each([
    'localhost',
    'localhost:',
    '*:80',
    '*.example.com:80',
    'http://a:80',
    'a:80/x',
    'a:99999',
    'u@a:80',
    ':80',
    'a b:80',
  ])('refuses %j', (pair) => expect(() => parseExceptions([pair])).toThrowError(pair))
})

describe('a bare host', () => {
  it.each([
    ['LDAP.example.com.', 'ldap.example.com'],
    ['::1', '[::1]'],
    ['[2a00::1]', '[2a00::1]'],
    ['2130706433', '127.0.0.1'],
  ])('reads %s as %s', (host, expected) => expect(parseHost(host)).toBe(expected))

  it.each(['', 'a/b', 'a?b', 'a#b', 'u@a', 'a:80', 'a\\b', 'a\tb', 'fe80::1%eth0', 'a b'])('refuses %j', (host) =>
    expect(() => parseHost(host)).toThrowError(blocked),
  )
})
