/** Finds the ends of tokens in a JSON text without reading it. Pure. */

/** Skips the texts of a JSON text, and counts the escapes in them. */
export class TextSkipper {
  readonly #json: string
  readonly #mostEscapes: number
  /** Of all texts so far. */
  escapes = 0
  /** The next backslash. */
  #escape = -1

  /** Once there are more escapes, it no longer looks for an end. */
  constructor(json: string, mostEscapes = Number.POSITIVE_INFINITY) {
    this.#json = json
    this.#mostEscapes = mostEscapes
  }

  /** The closing quote of the text that opens here; the end of everything where there is none. */
  endOf(opening: number): number {
    let from = opening + 1
    let quote = this.#find('"', from)
    while (this.escapes <= this.#mostEscapes) {
      if (this.#escape < from) this.#escape = this.#find('\\', from)
      if (this.#escape >= quote) return quote
      this.escapes += 1
      from = this.#escape + 2
      if (quote < from) quote = this.#find('"', from)
    }
    return this.#json.length
  }

  #find(character: string, from: number): number {
    const at = this.#json.indexOf(character, from)
    return at === -1 ? this.#json.length : at
  }
}

/** One past the last character that a number could have. */
export const endOfNumber = (json: string, start: number): number => {
  let at = start
  while (at < json.length && isInNumber(json.charCodeAt(at))) at += 1
  return at
}

/** Digits, + - . e E. */
const isInNumber = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) || code === 0x2b || code === 0x2d || code === 0x2e || (code | 0x20) === 0x65

/** True where the next token is a colon. */
export const isBeforeColon = (json: string, start: number): boolean => {
  let at = start
  while (isSpace(json.charCodeAt(at))) at += 1
  return json.charCodeAt(at) === 0x3a
}

const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
