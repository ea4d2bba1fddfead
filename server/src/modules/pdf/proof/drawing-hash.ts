/** Tells a page's drawing by a hash. Two pages with the same hash draw the same letters, pictures and lines at the same places. */
import { OPS } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { PdfRefusal } from '../read/refusal.ts'
import { HashTape } from './hash-tape.ts'
import { packedIn } from './packed-picture.ts'
import { isTile, lettersOf, type Operation, operationsIn, type PageObjects } from './page-objects.ts'

export interface Surroundings {
  objects: PageObjects
  /** Tells whether a layer is shown. */
  layers: { isVisible(layer: unknown): boolean }
  /** False: what can't be read is nothing, as in viewers. */
  isStrict: boolean
}

/** Of objects that several pages share. Their names differ from file to file and are no part of it. */
const hashes = new WeakMap<object, string>()

export const hashOperations = (
  operations: readonly Operation[],
  around: Surroundings,
  frame: unknown = null,
): string => {
  const tape = new HashTape()
  const letters = new LetterTable(tape)
  tape.value(frame)
  for (const { fn, args } of operations) {
    tape.number(fn)
    if (fn === OPS.showText) letters.write(args[0] as (number | Letter)[])
    else tape.value(settled(fn, args, around))
  }
  return tape.finish()
}

/** The arguments with what they name in place of its name. */
const settled = (fn: number, args: readonly unknown[], around: Surroundings): readonly unknown[] => {
  const hashOf = (id: unknown): string => hashObject(around.objects.get(String(id)), around)
  const [first, ...rest] = args
  if (fn === OPS.setFont || fn === OPS.paintImageXObject || fn === OPS.shadingFill) return [hashOf(first), ...rest]
  if (fn === OPS.setGState) return (first as [string, unknown][]).map((entry) => settledState(entry, hashOf))
  if (fn === OPS.paintImageMaskXObject) return [settledMask(first as Mask, hashOf)]
  if (fn === OPS.beginMarkedContentProps) return first === 'OC' ? ['OC', around.layers.isVisible(rest[0])] : []
  if (fn === OPS.setFillColorN || fn === OPS.setStrokeColorN) return settledColor(args, around, hashOf)
  return args
}

type HashOf = (id: unknown) => string

const settledState = ([key, value]: [string, unknown], hashOf: HashOf): unknown =>
  key === 'Font' && Array.isArray(value) ? [key, hashOf(value[0]), value[1]] : [key, value]

interface Mask {
  data: unknown
}

const settledMask = (mask: Mask, hashOf: HashOf): Mask =>
  typeof mask.data === 'string' ? { ...mask, data: hashOf(mask.data) } : mask

const settledColor = (args: readonly unknown[], around: Surroundings, hashOf: HashOf): readonly unknown[] => {
  if (args[0] === 'Shading') return [args[0], hashOf(args[1]), args[2]]
  if (!isTile(args)) return args
  const [kind, color, tile, ...rest] = args
  return [kind, color, hashOperations(operationsIn(tile), around), ...rest]
}

interface Picture {
  width: number
  height: number
  kind?: number
  interpolate?: unknown
  data?: unknown
}

interface Font {
  name: string
  isType3Font: boolean
}

/** What is seen of a font: its program, and what stands in where it has none. */
const fontFacts = [
  'name',
  'data',
  'missingFile',
  'fallbackName',
  'bold',
  'italic',
  'black',
  'remeasure',
  'vertical',
  'fontMatrix',
  'bbox',
  'isType3Font',
] as const

const hashObject = (object: unknown, around: Surroundings): string => {
  if ((typeof object !== 'object' || object === null) && !around.isStrict) return ''
  if (typeof object !== 'object' || object === null)
    throw new PdfRefusal('pdf_readers_disagree', 'A font or a picture can not be read.')
  const known = hashes.get(object)
  if (known !== undefined) return known
  const tape = new HashTape()
  if (isFont(object)) writeFont(tape, object, around)
  else if (Array.isArray(object)) tape.value(object)
  else {
    const { width, height, kind, interpolate, data } = object as Picture
    tape.value([width, height, kind, interpolate, packedIn(object) ?? data])
  }
  const sha256 = tape.finish()
  hashes.set(object, sha256)
  return sha256
}

const isFont = (object: object): object is Font & Record<string, unknown> => 'isType3Font' in object

const writeFont = (tape: HashTape, font: Font & Record<string, unknown>, around: Surroundings): void => {
  for (const fact of fontFacts) tape.value(font[fact])
  for (const [name, letter] of [...lettersOf(font)].sort(([a], [b]) => (a < b ? -1 : 1)))
    tape.value([name, hashOperations(operationsIn(letter), around)])
}

interface Letter {
  fontChar: string
  unicode: string
  width: number
  accent: unknown
  vmetric: unknown
  operatorListId: string | null
  isSpace: boolean
  isInFont: boolean
  isRotated: boolean
  originalCharCode: number
}

/** Each letter is written once and told by its number from then on: most of a document is letters. */
class LetterTable {
  readonly #tape: HashTape
  readonly #known = new Map<Letter, number>()
  readonly #numbers = new Map<string, number>()

  constructor(tape: HashTape) {
    this.#tape = tape
  }

  write(letters: readonly (number | Letter)[]): void {
    this.#tape.list(letters.length)
    for (const letter of letters) {
      // A distance; a letter's number is never negative zero or written without its list.
      if (typeof letter === 'number') this.#tape.value([letter])
      else this.#tape.number(this.#known.get(letter) ?? this.#add(letter))
    }
  }

  #add(letter: Letter): number {
    const { originalCharCode, fontChar, unicode, width, accent, vmetric, operatorListId } = letter
    const { isSpace, isInFont, isRotated } = letter
    const facts = [originalCharCode, fontChar, unicode, width, accent, vmetric, operatorListId, isSpace, isInFont]
    const text = JSON.stringify([...facts, isRotated])
    // The reader may have several copies of one letter.
    const number = this.#numbers.get(text) ?? this.#numbers.size
    if (number === this.#numbers.size) this.#tape.text(text)
    this.#numbers.set(text, number)
    this.#known.set(letter, number)
    return number
  }
}
