/** The name of a company, group or department in the directory. Pure. */
import { normalized } from '@chancery/contract/normalized.ts'

/** The upper bound of common names in the schema (`ub-common-name`), which stricter directories enforce. */
const maxBytes = 64

const controlCharacter = /\p{Cc}/u

/** NFC, one line, at most 64 bytes. A number tells names apart that would collide. Undefined where nothing is left. */
export const entryName = (name: string, number = 1): string | undefined => {
  const line = normalized(name).trim()
  if (line === '' || controlCharacter.test(line) || !line.isWellFormed()) return undefined
  const suffix = number === 1 ? '' : ` ${number}`
  return cut(line, maxBytes - suffix.length) + suffix
}

/** Between characters as people see them, so that no accent loses its letter. */
const cut = (text: string, bytes: number): string => {
  let kept = ''
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (Buffer.byteLength(kept + segment) > bytes) break
    kept += segment
  }
  return (kept === '' ? cutCodePoints(text, bytes) : kept).trimEnd()
}

/** One character may be longer than all the room there is. */
const cutCodePoints = (text: string, bytes: number): string => {
  let kept = ''
  for (const character of text) {
    if (Buffer.byteLength(kept + character) > bytes) break
    kept += character
  }
  return kept
}
