/** Finds sections of the help: every word of the question must begin a word of the section. Pure. */

export interface Section {
  p: string
  t: string
  h: string
  k: string
  x: string
}

export interface Found {
  section: Section
  /** The text around the first word that was found. */
  excerpt: string
}

const most = 12
const fold = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase()

export const wordsOf = (question: string): string[] => fold(question).match(/[\p{L}\p{N}_]+/gu) ?? []

/** Where a word of the text begins with this one. */
const startOf = (text: string, word: string): number => {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text.charAt(at - 1))) return at
  return -1
}

/** What stands in a heading says what the section is about. */
const weights = [
  ['h', 40],
  ['t', 15],
  ['k', 20],
  ['x', 4],
] as const

const scoreOf = (section: Section, words: readonly string[]): number => {
  let score = 0
  for (const word of words) {
    let best = 0
    for (const [name, weight] of weights) {
      const text = fold(section[name])
      const at = startOf(text, word)
      if (at < 0) continue
      const isWhole = !/[\p{L}\p{N}]/u.test(text.charAt(at + word.length))
      best = Math.max(best, weight * (isWhole ? 1.5 : 1))
    }
    if (best === 0) return 0
    score += best
  }
  return score
}

const excerptOf = ({ x }: Section, words: readonly string[]): string => {
  const folded = fold(x)
  const at = Math.max(0, Math.min(...words.map((word) => startOf(folded, word)).filter((start) => start >= 0)))
  const from = Number.isFinite(at) && at > 60 ? x.indexOf(' ', at - 60) + 1 : 0
  const to = x.length > from + 160 ? x.lastIndexOf(' ', from + 160) : x.length
  return `${from > 0 ? '… ' : ''}${x.slice(from, to)}${to < x.length ? ' …' : ''}`
}

export const findSections = (sections: readonly Section[], question: string): Found[] => {
  const words = wordsOf(question)
  if (words.length === 0) return []
  return sections
    .map((section) => ({ section, score: scoreOf(section, words) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, most)
    .map(({ section }) => ({ section, excerpt: excerptOf(section, words) }))
}
