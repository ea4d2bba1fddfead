/**
 * The words of our mails. What people typed (names, titles) gets into one only as a `PlainName`: short, one line, and
 * nothing that a mail program would turn into a link. The types see to it: a bare string fits nowhere.
 */
declare const plain: unique symbol
declare const ours: unique symbol

export type PlainName = string & { readonly [plain]: true }
export type Words = string & { readonly [ours]: true }

const longestName = 64
const nothingLeft = '–'

/** Of a bounded length: otherwise the time would grow with the square of the text. */
const scheme = /[\p{L}\p{N}+.-]{0,40}:\/\/+/gu
const addressSign = /(?<=\S)[@＠](?=\S)/gu
/** Before two characters of a word: a domain name, but not the initials of a person. */
const innerDot = /(?<=\S)[.。．｡](?=\p{Cf}*[\p{L}\p{N}-]\p{Cf}*[\p{L}\p{M}\p{N}-])/gu
/** No top-level domain, so no link: titles are often file names. */
const fileEnding = /\. (pdf|docx?|odt|rtf|txt|xlsx?|ods|pptx?|odp|csv|html?|png|jpe?g)$/iu

/** A name or title that somebody typed, harmless to print in a mail. */
export const plainName = (text: string, longest = longestName): PlainName => {
  const line = text.replace(
    /[\p{Cc}\p{Zl}\p{Zp}\s\u200b\u2060\ufeff\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu,
    ' ',
  )
  const unlinked = line
    .replace(scheme, '')
    .replace(addressSign, ' at ')
    .replace(innerDot, (dot) => `${dot} `)
    .replace(/ +/g, ' ')
    .trim()
    .replace(fileEnding, '.$1')
  return (shorten(unlinked, longest) || nothingLeft) as PlainName
}

const shorten = (text: string, longest: number): string => {
  const characters = [...text]
  return characters.length <= longest
    ? text
    : `${characters
        .slice(0, longest - 1)
        .join('')
        .trimEnd()}…`
}

/** A sentence of ours, with names in it. */
export const words = (texts: TemplateStringsArray, ...values: (PlainName | Words | number)[]): Words =>
  String.raw({ raw: texts }, ...values) as Words

/** A text of ours that is kept elsewhere, in another language perhaps. The caller has made the names in it plain. */
export const ownWords = (text: string): Words => text as Words

/** One line of what went wrong, in the words of whatever reported it. */
export const errorLine = (text: string): Words =>
  text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, 200) as Words

/** A person's own text for the reader, as paragraphs: a message, a reason. */
export const freeText = (text: string | null): Words[] =>
  (text ?? '')
    .slice(0, 5000)
    .split(/\n{2,}/)
    .filter((paragraph): paragraph is Words => paragraph.trim() !== '')
