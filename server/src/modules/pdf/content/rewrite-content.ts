/**
 * Writes the instructions of a page, a drawing or a letter anew: the same to see, in one form that no reader takes for
 * another, without marks, without what hidden layers hold, and closed in itself. Pure.
 */
import { SyntaxProblem, type Value } from '../strict/syntax.ts'
import { nameOf, name as nameValue } from '../strict/values.ts'
import { written } from '../strict/write.ts'
import { type Category, categoryOf, deviceSpaces, movesText, paintsPath, showsText } from './operators.ts'
import { farRectangle, Positions } from './positions.ts'
import { type Instruction, readContent } from './read-content.ts'

export interface Surroundings {
  /** False where the resources have no such thing, or nothing of it is to be seen. */
  has(category: Category, name: string): boolean
  /** A layer: a name of the resources, or a dictionary. */
  isHidden(layer: Value): boolean
  /** The numbers that a colour of this space has. */
  components(space: string): number | undefined
}

export interface Rewritten {
  bytes: Buffer
  used: ReadonlyMap<Category, ReadonlySet<string>>
  /** Pictures that were among the instructions, by the name that they are drawn with now. */
  pictures: ReadonlyMap<string, Value>
  hiddenParts: number
}

export const rewriteContent = (content: Buffer, surroundings: Surroundings): Rewritten => {
  const writer = new Writer(surroundings)
  for (const instruction of readContent(content, surroundings.components)) writer.add(instruction)
  return writer.finish()
}

class Writer {
  readonly #around: Surroundings
  readonly #out: string[] = []
  readonly #used = new Map<Category, Set<string>>()
  readonly #pictures = new Map<string, Value>()
  /** One for each open mark: whether it hides what is in it. */
  readonly #marks: boolean[] = []
  readonly #positions = new Positions()
  #hidden = 0
  #hiddenParts = 0
  #depth = 0
  #isInText = false
  #hasFont = true
  #clips = false
  /** Hidden text has moved the position at which text goes on. */
  #isMoved = false

  constructor(around: Surroundings) {
    this.#around = around
  }

  add(instruction: Instruction): void {
    const { operator, operands } = instruction
    if ('picture' in instruction) this.#picture(instruction.picture)
    else if (operator === 'BDC' || operator === 'BMC') this.#open(operator, operands)
    else if (operator === 'EMC') this.#hidden -= this.#marks.pop() ? 1 : 0
    else if (['MP', 'DP', 'BX', 'EX'].includes(operator)) return
    else if (this.#isKnown(operator, operands) && this.#isInOrder(operator)) {
      this.#positions.add(operator, operands)
      this.#follow(operator, operands)
      if (this.#hidden > 0) this.#hide(operator, operands)
      else this.#write(operator, operands)
    }
  }

  finish(): Rewritten {
    if (this.#isInText) this.#out.push('ET')
    for (let open = this.#depth; open > 0; open -= 1) this.#out.push('Q')
    const bytes = Buffer.from(this.#out.join('\n'), 'latin1')
    return { bytes, used: this.#used, pictures: this.#pictures, hiddenParts: this.#hiddenParts }
  }

  #open(operator: string, [tag, layer]: readonly Value[]): void {
    const hides = operator === 'BDC' && nameOf(tag) === 'OC' && layer !== undefined && this.#around.isHidden(layer)
    this.#marks.push(hides)
    if (!hides) return
    this.#hidden += 1
    this.#hiddenParts += 1
  }

  /** What the resources don't have is drawn by nobody. Letters of a missing font look different everywhere. */
  #isKnown(operator: string, operands: readonly Value[]): boolean {
    if (showsText.has(operator) && !this.#hasFont) throw new SyntaxProblem('text in a font that is missing')
    const category = categoryOf[operator]
    const name = nameOf(operator === 'Tf' ? operands[0] : operands.at(-1))
    if (!category || name === undefined) return true
    if (category === 'ColorSpace' && deviceSpaces.has(name)) return true
    const isKnown = this.#around.has(category, name)
    if (category === 'Font') this.#hasFont = isKnown
    return isKnown
  }

  /** False for what closes more than was opened. */
  #isInOrder(operator: string): boolean {
    if (operator === 'BT' && this.#isInText) throw new SyntaxProblem('a text within another')
    if (operator === 'ET' && !this.#isInText) return false
    if (operator === 'BT' || operator === 'ET') this.#isInText = operator === 'BT'
    if (operator === 'Q' && this.#depth === 0) return false
    if (operator === 'q') this.#depth += 1
    if (operator === 'Q') this.#depth -= 1
    return true
  }

  #follow(operator: string, operands: readonly Value[]): void {
    if (operator === 'Tr') this.#clips ||= !/^[0-3]$/.test(written(operands[0] ?? nameValue('')))
    if (movesText.has(operator)) this.#isMoved = false
    if (this.#hidden > 0 || !showsText.has(operator)) return
    if (this.#isMoved && operator.startsWith('T')) throw new SyntaxProblem('text goes on after a hidden layer')
    if (!operator.startsWith('T')) this.#isMoved = false
  }

  /** What is drawn is left out; what later instructions depend on stays. */
  #hide(operator: string, operands: readonly Value[]): void {
    if (showsText.has(operator)) {
      if (this.#clips) throw new SyntaxProblem('text that cuts out, in a hidden layer')
      if (operator === '"')
        this.#out.push(`${written(operands[0] ?? nameValue(''))} Tw`, `${written(operands[1] ?? nameValue(''))} Tc`)
      if (operator === '"' || operator === "'") this.#out.push('T*')
      this.#isMoved = true
    } else if (paintsPath.has(operator)) this.#out.push('n')
    else if (operator !== 'Do' && operator !== 'sh') this.#write(operator, operands)
  }

  #write(operator: string, operands: readonly Value[]): void {
    const category = categoryOf[operator]
    const name = nameOf(operator === 'Tf' ? operands[0] : operands.at(-1))
    if (category && name !== undefined) this.#use(category, name)
    const corners = operator === 're' ? farRectangle(operands) : undefined
    this.#out.push(...(corners ?? [[...operands.map(written), operator].join(' ')]))
  }

  #use(category: Category, name: string): void {
    const names = this.#used.get(category) ?? new Set()
    this.#used.set(category, names.add(name))
  }

  #picture(picture: Value): void {
    if (this.#hidden > 0) return
    let name = `Inline${this.#pictures.size + 1}`
    while (this.#around.has('XObject', name)) name += 'x'
    this.#pictures.set(name, picture)
    this.#out.push(`/${name} Do`)
  }
}
