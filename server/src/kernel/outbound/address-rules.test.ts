import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isPublicAddress } from './address-rules.ts'
import { parseTarget } from './target.ts'

const refusedIpv4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '255.255.255.255/32',
]

/** As 128-bit numbers, apart from the code under test: base and prefix length. */
const refusedIpv6: [name: string, base: bigint, bits: number][] = [
  ['unspecified', 0n, 128],
  ['loopback', 1n, 128],
  ['IPv4-compatible', 0n, 96],
  ['IPv4-mapped', 0xffffn << 32n, 96],
  ['IPv4-translated', 0xffffn << 48n, 96],
  ['local NAT64', 0x64_ff9b_0001n << 80n, 48],
  ['discard', 0x100n << 112n, 64],
  ['Teredo', 0x2001_0000n << 96n, 32],
  ['benchmarks', 0x2001_0002_0000n << 80n, 48],
  ['ORCHID', 0x2001_0010n << 96n, 28],
  ['ORCHIDv2', 0x2001_0020n << 96n, 28],
  ['documentation', 0x2001_0db8n << 96n, 32],
  ['6to4', 0x2002n << 112n, 16],
  ['new documentation', 0x3fffn << 112n, 20],
  ['segment routing', 0x5f00n << 112n, 16],
  ['unique local', 0xfc00n << 112n, 7],
  ['link-local', 0xfe80n << 112n, 10],
  ['site-local', 0xfec0n << 112n, 10],
  ['multicast', 0xff00n << 112n, 8],
]

const numberOf = (ipv4: string) => ipv4.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
const dotted = (number: number) => [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join('.')
const isWithin = (number: number, [base = '', bits]: string[]) =>
  number >= numberOf(base) && number < numberOf(base) + 2 ** (32 - Number(bits))

const insideIpv4 = fc.constantFrom(...refusedIpv4).chain((block) => {
  const [base = '', bits] = block.split('/')
  return fc.nat(2 ** (32 - Number(bits)) - 1).map((offset) => numberOf(base) + offset)
})
const globalIpv4 = fc
  .nat(2 ** 32 - 1)
  .filter((number) => !refusedIpv4.some((block) => isWithin(number, block.split('/'))))

const insideIpv6 = fc
  .constantFrom(...refusedIpv6)
  .chain(([, base, bits]) => fc.bigInt({ min: base, max: base + (1n << BigInt(128 - bits)) - 1n }))
/** The rest of 2001::/23 is for protocols too. */
const globalIpv6 = fc
  .bigInt({ min: 0x2000n << 112n, max: (0x4000n << 112n) - 1n })
  .filter(
    (number) => !refusedIpv6.some(([, base, bits]) => number >> BigInt(128 - bits) === base >> BigInt(128 - bits)),
  )
  .filter((number) => number >> 105n !== (0x2001n << 112n) >> 105n)

const groups = (number: bigint) =>
  Array.from({ length: 8 }, (_, index) => Number((number >> BigInt(112 - index * 16)) & 0xffffn))

/** Every way to write one IPv6 address that a resolver or a person may use. */
const ipv6Forms = (number: bigint): string[] => {
  const parts = groups(number)
  const short = parts.map((part) => part.toString(16))
  const full = parts.map((part) => part.toString(16).padStart(4, '0'))
  const tail = dotted(Number(number & 0xffff_ffffn))
  return [
    short.join(':'),
    full.join(':'),
    full.join(':').toUpperCase(),
    [...short.slice(0, 6), tail].join(':'),
    short.join(':').replace(/(^|:)0(:0)+(:|$)/, '::'),
  ]
}

/** Every way the WHATWG parser reads as the same IPv4 address. */
const ipv4Forms = (number: number): string[] => {
  const [a = 0, b = 0, c = 0, d = 0] = dotted(number).split('.').map(Number)
  const octal = (part: number) => `0${part.toString(8)}`
  const hex = (part: number) => `0x${part.toString(16)}`
  return [
    dotted(number),
    `${dotted(number)}.`,
    String(number),
    hex(number),
    octal(number),
    `${a}.${number % 2 ** 24}`,
    `${a}.${b}.${c * 256 + d}`,
    [a, b, c, d].map(octal).join('.'),
    [a, b, c, d].map(hex).join('.'),
    `${hex(a)}.${octal(b)}.${c}.${d}`,
    dotted(number).replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    dotted(number).replaceAll(/\d/g, (digit) => `%3${digit}`),
  ]
}

const hostOf = (written: string) => {
  const { hostname } = parseTarget(`http://${written}/`, () => false).address.url
  return hostname.replaceAll(/[[\]]/g, '')
}

describe('public addresses', () => {
  it('refuses every address of the special IPv4 blocks', () => {
    fc.assert(
      fc.property(insideIpv4, (number) => !isPublicAddress(dotted(number))),
      { numRuns: 1000 },
    )
  })

  it('refuses them in every form that a URL can give them', () => {
    fc.assert(
      fc.property(insideIpv4, (number) => {
        for (const form of ipv4Forms(number)) {
          expect(hostOf(form)).toBe(dotted(number))
          expect(isPublicAddress(hostOf(form))).toBe(false)
        }
      }),
    )
  })

  it('refuses them wrapped into IPv6: mapped, compatible, translated, 6to4, Teredo and NAT64', () => {
    fc.assert(
      fc.property(insideIpv4, (number) => {
        const low = BigInt(number)
        for (const wrapped of [
          (0xffffn << 32n) | low,
          low,
          (0xffffn << 48n) | low,
          (0x2002n << 112n) | (low << 80n),
          (0x2001_0000n << 96n) | (~low & 0xffff_ffffn),
          (0x64_ff9bn << 96n) | low,
          (0x64_ff9b_0001n << 80n) | low,
        ])
          for (const form of ipv6Forms(wrapped)) expect([form, isPublicAddress(form)]).toEqual([form, false])
      }),
    )
  })

  it('refuses every address of the special IPv6 blocks in every form', () => {
    fc.assert(
      fc.property(insideIpv6, (number) => {
        for (const form of ipv6Forms(number)) {
          expect([form, isPublicAddress(form)]).toEqual([form, false])
          expect(isPublicAddress(hostOf(`[${form}]`))).toBe(false)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('accepts every other IPv4 address, also behind NAT64', () => {
    fc.assert(
      fc.property(globalIpv4, (number) => {
        expect(isPublicAddress(dotted(number))).toBe(true)
        expect(isPublicAddress(`64:ff9b::${dotted(number)}`)).toBe(true)
        expect(isPublicAddress(`::ffff:${dotted(number)}`)).toBe(false)
      }),
      { numRuns: 1000 },
    )
  })

  it('accepts global unicast IPv6 in every form', () => {
    fc.assert(
      fc.property(globalIpv6, (number) => {
        for (const form of ipv6Forms(number)) expect([form, isPublicAddress(form)]).toEqual([form, true])
      }),
    )
  })

  it.each([
    '1.1.1.1',
    '93.184.216.34',
    '192.0.1.1',
    '100.128.0.1',
    '172.32.0.1',
    '2606:4700::1111',
    '2001:200::1',
    '2a00::',
  ])('accepts %s, just outside', (address) => expect(isPublicAddress(address)).toBe(true))

  it.each([
    '',
    'localhost',
    '1.1.1',
    '1.1.1.1.1',
    '01.1.1.1',
    '1.1.1.1 ',
    '2606:4700::1111%eth0',
    'fe80::1%1',
    '[2a00::1]',
    '::g',
  ])('refuses %j, which is no plain address', (text) => expect(isPublicAddress(text)).toBe(false))
})
