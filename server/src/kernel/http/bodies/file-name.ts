/** File names are something to show: they never become a path. Blobs are stored under keys of our own. */
import { normalized } from '@chancery/contract/normalized.ts'

const maxNameBytes = 255
/** Would let `exe.gpj` be shown as `jpg.exe`, or hide characters. */
const invisible = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\u2028\u2029]/gu

/** The last part of whatever was sent, in one line, short enough for every file system. */
export const cleanFileName = (given: string): string => {
  const base = given.toWellFormed().split(/[/\\]/).at(-1) ?? ''
  const name = normalized(withoutMiddle(base)).replace(invisible, '').trim()
  return /^\.*$/.test(name) ? 'file' : shorten(name)
}

/** A name as long as a page is cut before anything is done with it; its end says what it is. */
const withoutMiddle = (name: string): string =>
  name.length > 2000 ? `${name.slice(0, 1500)}${name.slice(-100)}`.toWellFormed() : name

const shorten = (name: string): string => {
  if (Buffer.byteLength(name) <= maxNameBytes) return name
  const extension = /\.[\w-]{1,16}$/.exec(name)?.[0] ?? ''
  let stem = name.slice(0, name.length - extension.length)
  while (Buffer.byteLength(stem) + extension.length > maxNameBytes) stem = stem.slice(0, -1)
  return stem.toWellFormed().replace(/\ufffd$/, '') + extension
}

/** `filename` for old readers and `filename*` for the others (RFC 6266). */
export const contentDisposition = (kind: 'attachment' | 'inline', name: string): string => {
  const clean = cleanFileName(name)
  const ascii = clean.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(clean).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded}`
}
