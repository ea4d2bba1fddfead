/** The words of a question within a passage that was found for it. Pure. */

export interface TextPart {
  text: string
  isMatch: boolean
}

const wordPattern = /[\p{L}\p{N}]+/gu
const ending = /(?:ings?|ed|es|s|e)$/
const shortest = 3
const common = new Set(
  'the and for with from that this these those what when where which who whom whose why how are was were has have had does did can could will would should may might not you your our their its into about there than then'.split(
    ' ',
  ),
)

const stemOf = (word: string): string => {
  const stem = word.toLowerCase().replace(ending, '')
  return stem.length >= shortest ? stem : word.toLowerCase()
}

const stemsOf = (question: string): ReadonlySet<string> => {
  const words = (question.toLowerCase().match(wordPattern) ?? []).filter(
    (word) => (word.length >= shortest || /\p{N}/u.test(word)) && !common.has(word),
  )
  return new Set(words.map(stemOf))
}

interface Match {
  from: number
  to: number
  stem: string
}

const matchesIn = (text: string, question: string): Match[] => {
  const stems = stemsOf(question)
  if (stems.size === 0) return []
  return [...text.matchAll(wordPattern)].flatMap(({ 0: word, index }) => {
    const stem = stemOf(word)
    return stems.has(stem) ? [{ from: index, to: index + word.length, stem }] : []
  })
}

export function matchedParts(text: string, question: string): TextPart[] {
  const parts: TextPart[] = []
  let at = 0
  for (const { from, to } of matchesIn(text, question)) {
    if (from > at) parts.push({ text: text.slice(at, from), isMatch: false })
    parts.push({ text: text.slice(from, to), isMatch: true })
    at = to
  }
  if (at < text.length) parts.push({ text: text.slice(at), isMatch: false })
  return parts
}

/** Words this close together are read at one glance. */
const glance = 300
const before = 80

/** The passage from shortly before the place where most of the question's words stand together. */
export function fromMatch(text: string, question: string): string {
  const matches = matchesIn(text, question)
  let best = { from: 0, count: 0 }
  matches.forEach(({ from }, index) => {
    const near = matches.slice(index).filter((match) => match.from < from + glance)
    const count = new Set(near.map(({ stem }) => stem)).size
    if (count > best.count) best = { from, count }
  })
  if (best.from <= before) return text
  const space = text.slice(best.from - before, best.from).search(/\s/)
  return `… ${text.slice(space === -1 ? best.from : best.from - before + space).trimStart()}`
}
