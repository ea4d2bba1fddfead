/**
 * The SHA-256 of a file, read in parts. The browser's own needs the whole file in memory, and is missing where the page
 * isn't served over HTTPS.
 */
const isPrime = (number: number) => {
  for (let factor = 2; factor * factor <= number; factor += 1) if (number % factor === 0) return false
  return true
}

const primes: number[] = []
for (let number = 2; primes.length < 64; number += 1) if (isPrime(number)) primes.push(number)

/** The first 32 bits behind the point. */
const fraction = (value: number) => ((value - Math.floor(value)) * 2 ** 32) | 0
const constants = Int32Array.from(primes, (prime) => fraction(Math.cbrt(prime)))
const start = Int32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)))

const blockBytes = 64
const turned = (word: number, bits: number) => (word >>> bits) | (word << (32 - bits))

/** Adds whole blocks to the state. */
function addBlocks(state: Int32Array, words: Int32Array, bytes: DataView) {
  for (let at = 0; at + blockBytes <= bytes.byteLength; at += blockBytes) {
    for (let index = 0; index < 16; index += 1) words[index] = bytes.getInt32(at + index * 4)
    for (let index = 16; index < 64; index += 1) {
      const [one, two] = [words[index - 15] ?? 0, words[index - 2] ?? 0]
      const low = turned(one, 7) ^ turned(one, 18) ^ (one >>> 3)
      const high = turned(two, 17) ^ turned(two, 19) ^ (two >>> 10)
      words[index] = ((words[index - 16] ?? 0) + low + (words[index - 7] ?? 0) + high) | 0
    }
    addBlock(state, words)
  }
}

function addBlock(state: Int32Array, words: Int32Array) {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
  for (let index = 0; index < 64; index += 1) {
    const high = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)
    const first = (h + high + ((e & f) ^ (~e & g)) + (constants[index] ?? 0) + (words[index] ?? 0)) | 0
    const low = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)
    const second = (low + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + first) | 0
    d = c
    c = b
    b = a
    a = (first + second) | 0
  }
  for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) state[index] = ((state[index] ?? 0) + word) | 0
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

export async function hashFile(file: Blob): Promise<string> {
  const state = Int32Array.from(start)
  const words = new Int32Array(64)
  let rest = new Uint8Array()
  const reader = file.stream().getReader()
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const { value: part } = read
    const bytes = new Uint8Array(rest.length + part.length)
    bytes.set(rest)
    bytes.set(part, rest.length)
    const whole = bytes.length - (bytes.length % blockBytes)
    addBlocks(state, words, viewOf(bytes.subarray(0, whole)))
    rest = bytes.slice(whole)
  }
  // The end: a one, zeros, and the length in bits.
  const last = new Uint8Array(rest.length < 56 ? blockBytes : 2 * blockBytes)
  last.set(rest)
  last[rest.length] = 0x80
  viewOf(last).setBigUint64(last.length - 8, BigInt(file.size) * 8n)
  addBlocks(state, words, viewOf(last))
  return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
}
