/** Breaks styled text and fields into lines. Each piece is measured a bounded number of times. */
import type { TextTag } from '../interface.ts'
import type { Style } from './blocks.ts'
import type { Run } from './fill-in.ts'

export interface Piece {
  x: number
  width: number
  content: { text: string; style: Style } | { tag: TextTag }
}

export interface Line {
  pieces: Piece[]
  width: number
  /** Of the highest field in it; 0 without one. */
  fieldHeight: number
}

export interface Box {
  width: number
  height: number
}

export type Measure = (text: string, style: Style) => number

/** Room that is left for a field, in points. */
export const fieldSizes: Readonly<Record<TextTag['type'], Box>> = {
  SIGNATURE: { width: 160, height: 40 },
  INITIALS: { width: 64, height: 28 },
  DATE: { width: 96, height: 18 },
  TEXT: { width: 170, height: 18 },
  CHECKBOX: { width: 13, height: 13 },
}

const segmenter = new Intl.Segmenter('und', { granularity: 'word' })
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
const longestWord = 80

/** Between two atoms a line may end where one of them is a space or `mayBreak`. */
interface Atom {
  content: Piece['content']
  width: number
  isSpace: boolean
  mayBreak: boolean
}

export const breakLines = (runs: readonly Run[], width: number, measure: Measure): Line[] => {
  const lines: Line[] = []
  for (const part of partsOf(runs)) {
    const breaker = new Breaker(width, measure)
    for (const run of part) for (const atom of atomsOf(run, width, measure)) breaker.add(atom)
    for (const line of breaker.end()) lines.push(line)
  }
  return lines
}

type Inked = Exclude<Run, { kind: 'break' }>

const partsOf = (runs: readonly Run[]): Inked[][] => {
  const parts: Inked[][] = [[]]
  for (const run of runs) {
    if (run.kind === 'break') parts.push([])
    else parts.at(-1)?.push(run)
  }
  return parts
}

function* atomsOf(run: Inked, width: number, measure: Measure): Generator<Atom> {
  if (run.kind === 'field') {
    const size = Math.min(fieldSizes[run.tag.type].width, width)
    yield { content: { tag: run.tag }, width: size, isSpace: false, mayBreak: false }
    return
  }
  const { style } = run
  const atom = (text: string, mayBreak = false): Atom => {
    const isSpace = text.trim() === '' && !text.includes('\u00a0')
    return { content: { text, style }, width: measure(text, style), isSpace, mayBreak }
  }
  for (const [word] of run.text.matchAll(/[^\S\u00a0]+|[\S\u00a0]+/g)) {
    if (unspaced.test(word)) for (const { segment } of segmenter.segment(word)) yield* pieces(segment, true)
    else yield* pieces(word, false)
  }

  /** A word that is wider than a line is broken where it has to be. */
  function* pieces(word: string, mayBreak: boolean): Generator<Atom> {
    if (word.length <= longestWord) {
      const whole = atom(word, mayBreak)
      if (whole.width <= width) {
        yield whole
        return
      }
    }
    for (const char of word) yield atom(char, true)
  }
}

class Breaker {
  readonly #lines: Line[] = []
  readonly #width: number
  readonly #measure: Measure
  #line: Atom[] = []
  #used = 0
  /** What can't be parted from one another. */
  #word: Atom[] = []
  #wordWidth = 0

  constructor(width: number, measure: Measure) {
    this.#width = width
    this.#measure = measure
  }

  add(atom: Atom): void {
    if (atom.isSpace || atom.mayBreak) this.#takeWord()
    this.#word.push(atom)
    this.#wordWidth += atom.width
    if (atom.isSpace || atom.mayBreak || this.#wordWidth > this.#width) this.#takeWord()
  }

  end(): Line[] {
    this.#takeWord()
    this.#endLine()
    return this.#lines
  }

  #takeWord(): void {
    const isSpace = this.#word.length === 1 && this.#word[0]?.isSpace === true
    if (!isSpace && this.#used + this.#wordWidth > this.#width && this.#line.length > 0) this.#endLine()
    // A line that was broken doesn't begin with a space.
    const isDropped = isSpace && this.#line.length === 0 && this.#lines.length > 0
    for (const atom of isDropped ? [] : this.#word) {
      if (this.#used + atom.width > this.#width && this.#line.length > 0 && !atom.isSpace) this.#endLine()
      this.#line.push(atom)
      this.#used += atom.width
    }
    this.#word = []
    this.#wordWidth = 0
  }

  #endLine(): void {
    while (this.#line.at(-1)?.isSpace === true) this.#line.pop()
    this.#lines.push(lineOf(this.#line, this.#measure))
    this.#line = []
    this.#used = 0
  }
}

const lineOf = (atoms: readonly Atom[], measure: Measure): Line => {
  const pieces: Piece[] = []
  let fieldHeight = 0
  for (const { content, width } of atoms) {
    const last = pieces.at(-1)
    if ('tag' in content) fieldHeight = Math.max(fieldHeight, fieldSizes[content.tag.type].height)
    if (last && 'text' in content && 'text' in last.content && last.content.style === content.style) {
      last.content = { text: last.content.text + content.text, style: content.style }
      last.width += width
    } else pieces.push({ x: 0, width, content })
  }
  let x = 0
  for (const piece of pieces) {
    if ('text' in piece.content) piece.width = measure(piece.content.text, piece.content.style)
    piece.x = x
    x += piece.width
  }
  return { pieces, width: x, fieldHeight }
}
