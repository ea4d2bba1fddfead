/** Text in whatever charset it was written: a declared one, what a byte order mark says, or the most plausible. */

/** `declared` comes from an HTTP header or a document's own first lines; a wrong one is not followed. */
export const decodeText = (bytes: Uint8Array, declared?: string): string => {
  const marked = charsetOfMark(bytes)
  if (marked) return decode(bytes, marked) ?? ''
  const utf8 = decode(bytes, 'utf-8', true)
  if (utf8 !== undefined && !hasEscapes(bytes)) return utf8
  const wide = wideCharset(bytes)
  if (wide) return decode(bytes, wide) ?? ''
  const named = declared === undefined ? undefined : decode(bytes, declared, true)
  return named ?? decode(bytes, mostPlausible(bytes)) ?? utf8 ?? ''
}

const decode = (bytes: Uint8Array, charset: string, fatal = false): string | undefined => {
  try {
    return new TextDecoder(charset, { fatal }).decode(bytes)
  } catch {
    return undefined
  }
}

const charsetOfMark = ([first, second, third]: Uint8Array): string | undefined => {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined
}

const sampleBytes = 65_536

/** UTF-16 without a mark: Western text has a zero in every other byte. */
const wideCharset = (bytes: Uint8Array): string | undefined => {
  const sample = bytes.subarray(0, sampleBytes)
  const zeros = [0, 0]
  for (const [index, byte] of sample.entries()) if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  const many = sample.length / 8
  if (odd > many && odd > even * 4) return 'utf-16le'
  return even > many && even > odd * 4 ? 'utf-16be' : undefined
}

/** ISO-2022-JP is pure ASCII to a UTF-8 decoder; its escapes give it away. */
const hasEscapes = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, sampleBytes)).includes('\x1b$')

const candidates = [
  'iso-2022-jp',
  'shift_jis',
  'euc-jp',
  'euc-kr',
  'gb18030',
  'big5',
  'windows-1251',
  'koi8-r',
  'windows-1253',
  'windows-1252',
  'windows-1250',
]

const mostPlausible = (bytes: Uint8Array): string => {
  const sample = bytes.subarray(0, sampleBytes)
  let best = { charset: 'windows-1252', score: -1 }
  for (const charset of candidates) {
    // The sample may end inside a character, so that a few bad ones at its end are normal.
    const text = decode(sample, charset)
    const score = text === undefined ? -1 : plausibility(text)
    if (score > best.score) best = { charset, score }
  }
  return best.charset
}

/**
 * A measure of how much a text outside ASCII looks like words: letters in ordinary runs of one script, few signs and no
 * damage.
 */
const plausibility = (text: string): number => {
  const foreign = text.match(/[^\p{ASCII}]/gu)?.length ?? 0
  if (foreign === 0) return 0
  const count = (pattern: RegExp, weight = 1) => weight * (text.match(pattern)?.length ?? 0)
  const good =
    count(/[\p{Script=Hiragana}\p{Script=Katakana}]/gu, 1.5) +
    count(/[\uac00-\ud7a3]/gu, 1.4) +
    count(commonHan, 1.6) +
    count(/(?<=[А-ЯЁа-яё])[а-яё]|(?<![a-z])[А-ЯЁа-яё](?=[а-яё])/gu) +
    count(/(?<=[α-ωά-ώ])[α-ωά-ώ]/gu) +
    count(
      /(?<=[a-z])[à-öø-ÿāăąćčďđęěğıłńňőœřśşšťůűźżž]|[à-öø-ÿąćčęěłńřśšůźżž](?=[a-z])|(?<=[\s"'(])[À-ÖØ-ÞŚŠŽŹŻŁČ](?=[a-z])/gu,
      0.95,
    ) +
    count(/[“”„‘’–—…«»°§©®€£]/gu, 0.6)
  const bad = count(/[\ufffd\u0080-\u009f\ue000-\uf8ff]/gu, 4) + count(/[\uff61-\uff9f]/gu, 0.5)
  return (good - bad) / foreign
}

/** Characters that fill about a third of ordinary Chinese and Japanese text. */
const commonHan =
  /[的一是不了在人有我他这這个個们們中来來上大为為和国國地到以说說时時要就出会會可也你对對生能而子那得于於着下自之年日本語文字書見月火水木金土東京学校行]/gu
