/** What a field's instructions do, in the form in which the second reader tells it, so that one rule judges both. Pure. */
import { OPS } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { paintsPath } from '../content/operators.ts'
import { type Instruction, readContent } from '../content/read-content.ts'
import { SyntaxProblem } from '../strict/syntax.ts'
import { numberOf } from '../strict/values.ts'
import type { Operation } from './page-objects.ts'

/** They set what later instructions use, and leave nothing on the page. All others draw. */
const silent = new Set(
  'w J j M d ri i gs g G rg RG k K cs CS sc SC scn SCN BT ET Tc Tw Tz TL Tf Tr Ts Td TD Tm T* BMC BDC EMC MP DP BX EX'.split(
    ' ',
  ),
)
const states: Readonly<Record<string, number>> = { q: OPS.save, Q: OPS.restore, cm: OPS.transform }

/** Throws a `SyntaxProblem` for what can't be read. */
export const addedOperations = (content: Buffer): Operation[] => {
  const path = new Path()
  return [...readContent(content, () => undefined)].flatMap((instruction) => operationOf(path, instruction) ?? [])
}

const operationOf = (path: Path, { operator, operands }: Instruction): Operation | undefined => {
  const numbers = operands.map((operand) => numberOf(operand) ?? Number.NaN)
  if (path.take(operator, numbers)) return undefined
  if (operator === 'W' || operator === 'W*') return { fn: OPS.clip, args: [] }
  if (operator === 'n') return { fn: OPS.constructPath, args: [OPS.endPath, null, path.end()] }
  if (paintsPath.has(operator)) return { fn: OPS.constructPath, args: [OPS.fill, null, path.end()] }
  path.requireEnded()
  const state = states[operator]
  if (state !== undefined) return { fn: state, args: numbers }
  return silent.has(operator) ? undefined : { fn: OPS.showText, args: [] }
}

/** The smallest upright box around the points that a path is made of. */
class Path {
  #box: [number, number, number, number] | undefined

  /** True for an instruction that is a part of the path. */
  take(operator: string, numbers: readonly number[]): boolean {
    if (operator === 're') {
      const [x = 0, y = 0, width = 0, height = 0] = numbers
      this.#add([x, y, x + width, y + height])
    } else if ('mlcvy'.includes(operator)) this.#add(numbers)
    else return operator === 'h'
    return true
  }

  end(): readonly number[] | null {
    const box = this.#box ?? null
    this.#box = undefined
    return box
  }

  requireEnded(): void {
    if (this.#box) throw new SyntaxProblem('something else within a path')
  }

  #add(numbers: readonly number[]): void {
    for (let at = 0; at < numbers.length; at += 2) {
      const [x = 0, y = 0] = numbers.slice(at, at + 2)
      const [x0, y0, x1, y1] = this.#box ?? [x, y, x, y]
      this.#box = [Math.min(x0, x), Math.min(y0, y), Math.max(x1, x), Math.max(y1, y)]
    }
  }
}
