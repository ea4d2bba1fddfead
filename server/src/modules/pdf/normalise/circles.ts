/** A drawing that draws itself, or a function of itself, keeps some viewers busy without end. */
import { SyntaxProblem, type Value } from '../strict/syntax.ts'

/** `back`: objects that others lead back to rightly, as pages to their tree. */
export const requireNoCircles = (objects: readonly Value[], back: ReadonlySet<number>): void => {
  /** 1: on the way, 2: done. */
  const state = new Uint8Array(objects.length + 1)
  for (let start = 1; start <= objects.length; start += 1) {
    const path = [start]
    while (path.length > 0) {
      const number = path.at(-1) ?? 0
      if (state[number] === 0) {
        state[number] = 1
        for (const next of refsIn(objects[number - 1])) {
          if (back.has(next) || state[next] === 2) continue
          if (state[next] === 1) throw new SyntaxProblem('something in it contains itself')
          path.push(next)
        }
      } else {
        path.pop()
        state[number] = 2
      }
    }
  }
}

const refsIn = (value: Value | undefined): number[] => {
  if (!value || value.kind === 'plain') return []
  if (value.kind === 'ref') return [value.number]
  const inner = value.kind === 'array' ? value.items : [...value.entries.values()]
  return inner.flatMap(refsIn)
}
