/** Turns text into the token ids of an uncased BERT vocabulary, as the model was trained: WordPiece. */

export type WordPiece = (text: string, maxTokens: number) => number[]

const unknown = '[UNK]'
const longestWord = 100

const noise = /(?![\t\n\r])[\p{C}\uFFFD]/gu
const ideograph = /[\u4E00-\u9FFF\u3400-\u4DBF\uF900-\uFAFF\u{20000}-\u{2A6DF}\u{2A700}-\u{2CEAF}\u{2F800}-\u{2FA1F}]/gu
const wordOrMark = /[!-/:-@[-`{-~\p{P}]|[^\s!-/:-@[-`{-~\p{P}]+/gu

/** Lower case character by character: the vocabulary knows no special letter for the end of a Greek word. */
const normalise = (text: string): string =>
  text
    .replace(noise, '')
    .replace(ideograph, ' $& ')
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .replace(/\p{Changes_When_Lowercased}/gu, (letter) => letter.toLowerCase())

export const createWordPiece = (vocabulary: ReadonlyMap<string, number>): WordPiece => {
  const idOf = (token: string): number => {
    const id = vocabulary.get(token)
    if (id === undefined) throw new Error(`The vocabulary has no ${token}.`)
    return id
  }
  const [first, last, unknownId] = [idOf('[CLS]'), idOf('[SEP]'), idOf(unknown)]

  /** The longest known piece from here on. */
  const pieceAt = (letters: readonly string[], at: number): { id: number; end: number } | undefined => {
    for (let end = letters.length; end > at; end -= 1) {
      const id = vocabulary.get((at > 0 ? '##' : '') + letters.slice(at, end).join(''))
      if (id !== undefined) return { id, end }
    }
    return undefined
  }
  /** A word that is not made of known pieces as a whole is one unknown token. */
  const piecesOf = (word: string): number[] => {
    const letters = [...word]
    if (letters.length > longestWord) return [unknownId]
    const ids: number[] = []
    for (let at = 0; at < letters.length; ) {
      const piece = pieceAt(letters, at)
      if (!piece) return [unknownId]
      ids.push(piece.id)
      at = piece.end
    }
    return ids
  }

  return (text, maxTokens) => {
    const ids = [first]
    for (const [word] of normalise(text).matchAll(wordOrMark)) {
      ids.push(...piecesOf(word))
      if (ids.length >= maxTokens) break
    }
    return [...ids.slice(0, maxTokens - 1), last]
  }
}
