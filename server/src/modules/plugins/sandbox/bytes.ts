/** Text and base64 as bytes: `TextEncoder`, `TextDecoder`, `atob`, `btoa`. */

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const codes = new Map([...alphabet].map((letter, code) => [letter, code]))

export const toBase64 = (bytes: Uint8Array): string => {
  let text = ''
  for (let at = 0; at < bytes.length; at += 3) {
    const [one = 0, two, three] = bytes.subarray(at, at + 3)
    const bits = (one << 16) | ((two ?? 0) << 8) | (three ?? 0)
    text += alphabet.charAt(bits >> 18) + alphabet.charAt((bits >> 12) & 63)
    text +=
      (two === undefined ? '=' : alphabet.charAt((bits >> 6) & 63)) +
      (three === undefined ? '=' : alphabet.charAt(bits & 63))
  }
  return text
}

export const fromBase64 = (text: string): Uint8Array<ArrayBuffer> => {
  const letters = text.replace(/[\s=]/g, '')
  const bytes = new Uint8Array(Math.floor((letters.length * 6) / 8))
  let bits = 0
  let count = 0
  let at = 0
  for (const letter of letters) {
    const code = codes.get(letter)
    if (code === undefined) throw new TypeError('The text is not base64.')
    bits = (bits << 6) | code
    count += 6
    if (count < 8) continue
    count -= 8
    bytes[at++] = (bits >> count) & 255
  }
  return bytes
}

export const toUtf8 = (text: string): Uint8Array<ArrayBuffer> => {
  const bytes: number[] = []
  for (const letter of text.toWellFormed()) {
    const code = letter.codePointAt(0) ?? 0
    if (code < 0x80) bytes.push(code)
    else if (code < 0x800) bytes.push(0xc0 | (code >> 6), 0x80 | (code & 63))
    else if (code < 0x10000) bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63))
    else bytes.push(0xf0 | (code >> 18), 0x80 | ((code >> 12) & 63), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63))
  }
  return new Uint8Array(bytes)
}

/** The length of a character in bytes by its first one; 0 where none starts so. */
const lengthOf = (first: number): number =>
  first < 0x80
    ? 1
    : first >= 0xc2 && first < 0xe0
      ? 2
      : first >= 0xe0 && first < 0xf0
        ? 3
        : first >= 0xf0 && first < 0xf5
          ? 4
          : 0

const leastOf = [0, 0, 0x80, 0x800, 0x10000]

/** Undefined where the bytes are no character. */
const codeAt = (bytes: Uint8Array, at: number, length: number): number | undefined => {
  let code = length === 1 ? (bytes[at] ?? 0) : (bytes[at] ?? 0) & (0xff >> (length + 1))
  for (let n = 1; n < length; n += 1) {
    const next = bytes[at + n] ?? 0
    if ((next & 0xc0) !== 0x80) return undefined
    code = (code << 6) | (next & 63)
  }
  const isSurrogate = code >= 0xd800 && code < 0xe000
  return code < (leastOf[length] ?? 0) || code > 0x10ffff || isSurrogate ? undefined : code
}

const asBytes = (input: ArrayBuffer | ArrayBufferView): Uint8Array =>
  input instanceof ArrayBuffer
    ? new Uint8Array(input)
    : new Uint8Array(input.buffer, input.byteOffset, input.byteLength)

export class Decoder {
  readonly encoding = 'utf-8'
  #rest: Uint8Array = new Uint8Array()
  #isFirst = true

  constructor(label = 'utf-8') {
    if (!/^utf-?8$/i.test(label)) throw new RangeError(`The encoding ${label} is not supported.`)
  }

  decode(input?: ArrayBuffer | ArrayBufferView, { stream = false } = {}): string {
    const fresh = input === undefined ? new Uint8Array() : asBytes(input)
    const bytes = new Uint8Array(this.#rest.length + fresh.length)
    bytes.set(this.#rest)
    bytes.set(fresh, this.#rest.length)
    let text = ''
    let at = 0
    while (at < bytes.length) {
      const length = lengthOf(bytes[at] ?? 0)
      if (stream && length > bytes.length - at) break
      const code = length === 0 || length > bytes.length - at ? undefined : codeAt(bytes, at, length)
      text += code === undefined ? '\uFFFD' : String.fromCodePoint(code)
      at += code === undefined ? 1 : length
    }
    this.#rest = stream ? bytes.slice(at) : new Uint8Array()
    const shown = this.#isFirst && text.startsWith('\uFEFF') ? text.slice(1) : text
    this.#isFirst = !stream || (this.#isFirst && text === '')
    return shown
  }
}

export class Encoder {
  readonly encoding = 'utf-8'

  encode(text = ''): Uint8Array<ArrayBuffer> {
    return toUtf8(String(text))
  }
}

export const atob = (text: string): string => String.fromCharCode(...fromBase64(String(text)))

export const btoa = (text: string): string => {
  const units = [...String(text)].map((letter) => letter.charCodeAt(0))
  if (units.some((unit) => unit > 255)) throw new TypeError('btoa takes Latin-1 text only.')
  return toBase64(new Uint8Array(units))
}
