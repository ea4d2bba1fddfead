/** Writes DER, the one exact byte form of ASN.1 that certificates and signatures are made of. Pure. */

/** One encoded value: tag, length and content. */
export type Der = Buffer

const universal = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  oid: 0x06,
  utf8String: 0x0c,
  printableString: 0x13,
  ia5String: 0x16,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const

export const encode = (tag: number, content: Uint8Array): Der => {
  const { length } = content
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content])
  const size = Buffer.from(length.toString(16).padStart(2 * Math.ceil(length.toString(16).length / 2), '0'), 'hex')
  return Buffer.concat([Buffer.from([tag, 0x80 | size.length]), size, content])
}

export const sequence = (...parts: readonly Uint8Array[]): Der => encode(universal.sequence, Buffer.concat(parts))

/** The elements of a SET OF are ordered by their bytes. */
export const setOf = (parts: readonly Uint8Array[]): Der =>
  encode(universal.set, Buffer.concat(parts.toSorted(Buffer.compare)))

/** `[n]` around a value that keeps its own tag. */
export const explicit = (n: number, value: Uint8Array): Der => encode(0xa0 | n, value)

/** `[n]` in place of the value's own tag. */
export const implicit = (n: number, value: Der): Der => {
  const retagged = Buffer.from(value)
  retagged[0] = (value[0] === universal.sequence || value[0] === universal.set ? 0xa0 : 0x80) | n
  return retagged
}

export const boolean = (value: boolean): Der => encode(universal.boolean, Buffer.from([value ? 0xff : 0]))

export const integer = (value: bigint | number): Der => {
  const hex = BigInt(value).toString(16)
  return unsigned(Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex'))
}

/** A non-negative integer from its bytes, such as a serial number. */
export const unsigned = (bytes: Uint8Array): Der => {
  const first = bytes.findIndex((byte) => byte !== 0)
  const trimmed = first < 0 ? Buffer.from([0]) : Buffer.from(bytes.subarray(first))
  const isNegative = ((trimmed[0] ?? 0) & 0x80) !== 0
  return encode(universal.integer, isNegative ? Buffer.concat([Buffer.from([0]), trimmed]) : trimmed)
}

export const octetString = (bytes: Uint8Array): Der => encode(universal.octetString, bytes)

export const bitString = (bytes: Uint8Array, unusedBits = 0): Der =>
  encode(universal.bitString, Buffer.concat([Buffer.from([unusedBits]), bytes]))

export const nothing = (): Der => encode(universal.null, Buffer.alloc(0))

export const utf8String = (text: string): Der => encode(universal.utf8String, Buffer.from(text, 'utf8'))

export const oid = (dotted: string): Der => {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  return encode(universal.oid, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]))
}

const base128 = (arc: number): number[] => {
  const bytes = [arc & 0x7f]
  for (let rest = Math.floor(arc / 128); rest > 0; rest = Math.floor(rest / 128)) bytes.unshift((rest & 0x7f) | 0x80)
  return bytes
}

/** Years up to 2049 are written as UTCTime, later ones as GeneralizedTime, as RFC 5280 asks. */
export const time = (at: Date): Der => {
  const digits = at.toISOString().replace(/[-:T]|\.\d+/g, '')
  return at.getUTCFullYear() < 2050
    ? encode(universal.utcTime, Buffer.from(digits.slice(2), 'latin1'))
    : encode(universal.generalizedTime, Buffer.from(digits, 'latin1'))
}
