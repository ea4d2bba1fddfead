/** Puts a line into the order in which it is drawn, from left to right (Unicode bidirectional algorithm). Pure. */
import createBidi, { type Bidi } from 'bidi-js'

/** Its types describe an ES module, but Node loads its CommonJS build, whose default is the function itself. */
const bidi = (createBidi as unknown as () => Bidi)()
const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}]/u

/** Brackets are mirrored where they stand in text that runs to the left. */
export const visualOrder = (line: string): string =>
  rightToLeft.test(line) ? bidi.getReorderedString(line, bidi.getEmbeddingLevels(line)) : line

export const startsRight = (line: string): boolean =>
  rightToLeft.test(line) && ((bidi.getEmbeddingLevels(line).paragraphs[0]?.level ?? 0) & 1) === 1
