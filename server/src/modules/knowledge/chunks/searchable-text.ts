/**
 * Pure. Text as full-text search should see it: words in lower case between spaces. Scripts that write no spaces are
 * turned into pairs of characters. Done here and not by PostgreSQL, whose parser depends on the locale of the database.
 */

const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+/gu
const notWord = /[^\p{L}\p{N}\p{M}]+/gu

export const searchableText = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(unspaced, (run) => ` ${pairsOf(run)} `)
    .replace(notWord, ' ')
    .trim()

const pairsOf = (run: string): string => {
  const characters = [...run]
  if (characters.length === 1) return run
  return characters
    .slice(0, -1)
    .map((character, index) => character + characters[index + 1])
    .join(' ')
}

export const countWords = (searchable: string): number => (searchable === '' ? 0 : searchable.split(' ').length)
