/** Which section answers a question: BM25 over words without their endings, and nothing where too little is known. Pure. */
import type { Section } from './sections.ts'

/** Undefined if no section has enough of what was asked. */
export type FindSection = (question: string) => Section | undefined

const stopWords = new Set(
  (
    'a an the is are am be been being do does did can could may might will would should shall have has had i we my our me us ' +
    'it its this that these those to of in on at for with from by as and or if not no so how what where when which why ' +
    "there here get got want need please tell show about don't doesn't can't isn't what's"
  ).split(' '),
)
/** Written in two words, it has nothing to do with signing a document. */
const signIn = /\b(sign|log)(?:ned|ged|ning|ging|s)?[ -](in|on|up|out)\b/g
const ending = /(?:ations?|ions?|ings?|ed|es|s|e)$/
const shortestStem = 3

export const wordsOf = (text: string): string[] =>
  (
    text
      .toLowerCase()
      .replace(signIn, 'login')
      .match(/[\p{L}\p{N}]+(?:['’]\p{L}+)?/gu) ?? []
  )
    .filter((word) => !stopWords.has(word))
    .map((word) => {
      const stem = word.replace(ending, '')
      return stem.length >= shortestStem ? stem : word
    })

const headingWeight = 4
const alsoWeight = 2
/** The page that is written for people who use the app, before those for who runs it or writes programs. */
const pageOfPeople = 'guide.md'
const pageBoost = 1.5

const k1 = 1.2
const b = 0.4
/**
 * The share of the question, by how rare its words are, that a section must have, with one of its words in its heading.
 */
const minShare = 0.5

interface Indexed {
  section: Section
  counts: ReadonlyMap<string, number>
  /** The words of its heading, and the other words for it. */
  names: ReadonlySet<string>
  length: number
}

export const createSearch = (sections: readonly Section[]): FindSection => {
  const indexed = sections.map(indexOf)
  const averageLength = indexed.reduce((sum, { length }) => sum + length, 0) / Math.max(1, indexed.length)
  const rarity = (word: string): number => {
    const found = indexed.filter(({ counts }) => counts.has(word)).length
    return Math.log(1 + (indexed.length - found + 0.5) / (found + 0.5))
  }
  return (question) => {
    const words = [...new Set(wordsOf(question))].map((word) => ({ word, rarity: rarity(word) }))
    const asked = words.reduce((sum, one) => sum + one.rarity, 0)
    let best: { section: Section; score: number } | undefined
    for (const { section, counts, names, length } of indexed) {
      if (!words.some(({ word }) => names.has(word))) continue
      let score = 0
      let share = 0
      for (const one of words) {
        const count = counts.get(one.word) ?? 0
        if (count === 0) continue
        share += one.rarity
        score += (one.rarity * count * (k1 + 1)) / (count + k1 * (1 - b + (b * length) / averageLength))
      }
      if (section.page === pageOfPeople) score *= pageBoost
      if (share >= asked * minShare && score > (best?.score ?? 0)) best = { section, score }
    }
    return best?.section
  }
}

const indexOf = (section: Section): Indexed => {
  const counts = new Map<string, number>()
  let length = 0
  const add = (text: string, weight: number): void => {
    for (const word of wordsOf(text)) {
      counts.set(word, (counts.get(word) ?? 0) + weight)
      length += 1
    }
  }
  add(section.heading, headingWeight)
  add(section.also, alsoWeight)
  add(section.text, 1)
  return { section, counts, names: new Set(wordsOf(`${section.heading} ${section.also}`)), length }
}
