/** Syntax of JavaScript in nodes, so that a typing mistake shows in the editor and not in a run. Pure. */
import { parser } from '@lezer/javascript'

const typescript = parser.configure({ dialect: 'ts' })

/** The line of the first error in the body of an async function, from 1; undefined when there is none. */
export const findSyntaxError = (body: string): number | undefined => {
  const start = 'async () => {'
  const source = `${start}${body}\n}`
  let at: number | undefined
  typescript.parse(source).iterate({
    enter: ({ type, from }) => {
      if (type.isError) at ??= from
    },
  })
  if (at === undefined) return undefined
  return source.slice(0, Math.min(at, start.length + body.length)).split('\n').length
}
