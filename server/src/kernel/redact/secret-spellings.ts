/** Finds secrets by value in what other servers send: as they are, and as servers usually write them. Pure. */
import { hiddenSecret } from '@chancery/contract/plugins/secret-headers.ts'

const inPattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/** A word as short as a PIN may be anywhere in a text by chance. One that is no word and no number is not. */
const isLongEnough = (text: string): boolean =>
  text.length >= 8 || (text.length >= 6 && /\d/.test(text) && /[^\d.,:-]/.test(text))

/** Every way in which a server may well repeat some values, to be found in one pass over a text however many there are. */
export interface Secrets {
  /** Of all spellings: so many characters of each, which is what a text is searched for. */
  startLength: number
  starts: RegExp
  /** The longest first. */
  byStart: ReadonlyMap<string, readonly string[]>
}

const usualStartLength = 16

export const secretsIn = (...values: readonly string[]): Secrets => {
  const spellings = [...new Set(values.flatMap(partsOf).filter(isLongEnough).flatMap(spellingsOf))].toSorted(
    (one, other) => other.length - one.length,
  )
  const startLength = Math.min(usualStartLength, spellings.at(-1)?.length ?? 0)
  const byStart = Map.groupBy(spellings, (spelling) => spelling.slice(0, startLength))
  return { startLength, starts: new RegExp([...byStart.keys()].map(inPattern).join('|'), 'g'), byStart }
}

/**
 * Of `Bearer x` and the like, `x` is the secret too; of `Basic x`, what `x` stands for and the password in it; of cookies,
 * each value.
 */
const partsOf = (value: string): string[] => {
  const credential = value.slice(value.indexOf(' ') + 1).trim()
  const parts = [value, credential]
  if (cookies.test(value)) parts.push(...value.split(/;\s*/).map((one) => one.slice(one.indexOf('=') + 1)))
  if (!/^basic /i.test(value)) return parts
  const plain = Buffer.from(credential, 'base64').toString()
  return [...parts, plain, plain.slice(plain.indexOf(':') + 1)]
}

const cookies = /^[\w!#$%&'*+.^`|~-]+=[^;\s]*(?:;\s*[\w!#$%&'*+.^`|~-]+=[^;\s]*)*;?$/

const spellingsOf = (secret: string): string[] => {
  const url = encodeURIComponent(secret.toWellFormed())
  const form = new URLSearchParams({ a: secret }).toString().slice(2)
  const json = inJson(secret)
  const hex = Buffer.from(secret).toString('hex')
  const written = [
    ...[secret, json, json.replaceAll('/', '\\/'), json.replace(/[<>&]/g, unicodeEscape), inAscii(json)],
    ...[inHtml(secret), inHtml(secret).replaceAll('&quot;', '&#34;'), inNumericHtml(secret)],
    ...[url, form, strictUrl(url), ...[url, form].map(lowerHex), encodeURIComponent(url)],
    ...[hex, hex.toUpperCase()],
    ...inBase64(secret),
  ]
  // And each of them where a text holds JSON, or JSON holds a text that is JSON.
  return written.flatMap((one) => [one, inJson(one), inJson(inJson(one))])
}

/** Alone, and the middle of what it becomes within a longer text, at each of the three places where it may begin there. */
const inBase64 = (secret: string): string[] =>
  (['base64', 'base64url'] as const).flatMap((coding) => {
    const middles = [0, 1, 2].map((before) => {
      const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)])
      return bytes.toString(coding).slice(before === 0 ? 0 : before + 1, Math.floor((bytes.length * 4) / 3))
    })
    return [Buffer.from(secret).toString(coding), ...middles.filter(isLongEnough)]
  })

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1)
const unicodeEscape = (letter: string): string => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`
/** As Python writes JSON. */
const inAscii = (json: string): string => json.replace(/[\u0080-\uffff]/g, unicodeEscape)
const lowerHex = (url: string): string => url.replace(/%[\dA-F]{2}/g, (code) => code.toLowerCase())
const strictUrl = (url: string): string =>
  url.replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const inHtml = (text: string): string => text.replace(/[&<>"']/g, (letter) => entities[letter] ?? letter)

const inNumericHtml = (text: string): string => text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)

export const hideSecrets = (text: string, { startLength, starts, byStart }: Secrets): string => {
  if (byStart.size === 0 || text.length < startLength) return text
  let hidden = ''
  let end = 0
  starts.lastIndex = 0
  for (let found = starts.exec(text); found; found = starts.exec(text)) {
    const { 0: start, index } = found
    const secret = byStart.get(start)?.find((spelling) => text.startsWith(spelling, index))
    if (secret !== undefined) {
      hidden += text.slice(end, index) + hiddenSecret
      end = index + secret.length
    }
    starts.lastIndex = secret === undefined ? index + 1 : end
  }
  return end === 0 ? text : hidden + text.slice(end)
}
