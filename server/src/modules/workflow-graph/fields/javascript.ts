/** Syntax of JavaScript in nodes, so that a typing mistake shows in the editor and not in a run. Pure. */
import { parser } from '@lezer/javascript'

/** Ends at the first error: what follows is of no interest, and guessing how it was meant takes long. */
const typescript = parser.configure({ dialect: 'ts', strict: true })

/** Parsing holds up the server, and some code takes time by the square of its length. One for all nodes of a graph. */
export interface ParsingTime {
  leftMs: number
}

/**
 * The line of the first error in the body of an async function, from 1. Undefined when there is none, or when the time was
 * over before one was found: the sandbox finds it then, in a run.
 */
export const findSyntaxError = (body: string, time: ParsingTime): number | undefined => {
  const start = 'async () => {'
  const source = `${start}${body}\n}`
  const parse = typescript.startParse(source)
  const began = performance.now()
  try {
    while (performance.now() - began < time.leftMs) if (parse.advance()) return undefined
    return undefined
  } catch (problem) {
    if (!(problem instanceof SyntaxError)) throw problem
    return source.slice(0, Math.min(parse.parsedPos, start.length + body.length)).split('\n').length
  } finally {
    time.leftMs -= performance.now() - began
  }
}
