/** What kind of byte stands somewhere in a PDF, as the standard says. Pure. */

export const isLegalSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09 || byte === 0x0c || byte === 0

const delimiters = new Set([...'()<>[]{}/%'].map((letter) => letter.charCodeAt(0)))

/** A part of a name, a number or a word. */
export const isRegular = (byte: number | undefined): boolean =>
  byte !== undefined && !isLegalSpace(byte) && !delimiters.has(byte)

export const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39

/** Past spaces and comments. */
export const skipLegalSpace = (file: Buffer, from: number): number => {
  let at = from
  for (;;) {
    while (isLegalSpace(file[at])) at += 1
    if (file[at] !== 0x25 || at >= file.length) return at
    while (at < file.length && file[at] !== 0x0a && file[at] !== 0x0d) at += 1
  }
}
