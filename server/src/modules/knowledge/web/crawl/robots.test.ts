import { describe, expect, it } from 'vitest'
import { parseRobots } from './robots.ts'

const allows = (text: string, path: string) => parseRobots(text, 'Chancery').allows(path)

describe('robots.txt', () => {
  it.each([
    ['', '/any', true],
    ['User-agent: *\nDisallow: /private', '/private/a', false],
    ['User-agent: *\nDisallow: /private', '/public', true],
    ['User-agent: *\nDisallow:', '/any', true],
    ['User-agent: *\nDisallow: /', '/any', false],
    ['User-agent: *\nDisallow: /a\nAllow: /a/b', '/a/b/c', true],
    ['User-agent: *\nDisallow: /a/b\nAllow: /a', '/a/b/c', false],
    ['User-agent: *\nDisallow: /a\nAllow: /a', '/a', true],
    ['User-agent: *\nDisallow: /*.pdf$', '/x/y.pdf', false],
    ['User-agent: *\nDisallow: /*.pdf$', '/x/y.pdf?z', true],
    ['User-agent: *\nDisallow: /a*b*c', '/a-b-c-d', false],
    ['User-agent: *\nDisallow: /exact$', '/exact', false],
    ['User-agent: *\nDisallow: /exact$', '/exactly', true],
    ['user-agent: CHANCERY\ndisallow: /x # ours\n\nUser-agent: *\nDisallow: /', '/y', true],
    ['User-agent: other\nUser-agent: chancery\nDisallow: /x', '/x', false],
    ['User-agent: other\nDisallow: /x', '/x', true],
    ['User-agent: Chancery/2.0\nDisallow: /x', '/x', false],
    ['User-agent: *\nDisallow: /café', '/caf%C3%A9', false],
    ['User-agent: *\nDisallow: /caf%c3%a9', '/caf%C3%A9/menu', false],
    ['User-agent: *\nDisallow: /caf%C3%A9', '/cafe', true],
    ['Disallow: /x\r\nnonsense\r\nUser-agent: *\r\nDisallow: /y', '/x', true],
    [`User-agent: *\nDisallow: /${'*a'.repeat(400)}b`, `/${'a'.repeat(5000)}`, true],
  ])('%j says of %s: %s', (text, path, isAllowed) => {
    expect(allows(text, path)).toBe(isAllowed)
  })

  it('allows nothing where it takes too long to decide, so that no site can hold up the server', () => {
    const slow = Array.from({ length: 19_000 }, (_, index) => `Disallow: /*a*a*a*a${index}z`).join('\n')
    expect(allows(`User-agent: *\n${slow}`, `/${'a'.repeat(900)}`)).toBe(false)
    const plain = Array.from({ length: 19_000 }, (_, index) => `Disallow: /hidden/${index}/`).join('\n')
    expect(allows(`User-agent: *\n${plain}`, '/shown')).toBe(true)
    expect(allows(`User-agent: *\n${plain}`, '/hidden/18999/x')).toBe(false)
  })

  it('says how long to wait between pages, within reason', () => {
    expect(parseRobots('User-agent: *\nCrawl-delay: 2', 'Chancery').delayMs).toBe(2000)
    expect(parseRobots('User-agent: *\nCrawl-delay: 9999', 'Chancery').delayMs).toBe(10_000)
    expect(parseRobots('User-agent: *\nCrawl-delay: -1', 'Chancery').delayMs).toBe(0)
  })
})
