/**
 * The plugin host: holds the sandboxes of many plugins in one limited child and passes lines between them and the server.
 *
 * In: `<plugin> load <json>`, `<plugin> say <json>`, `<plugin> unload `. Out: `<plugin> <lines handled> <json>`. Every line
 * that comes in is handled to its end before the next, and answered by at least one line, so the server always knows whose
 * line a host that hangs is working on.
 */
import type { TaskContext } from '#kernel/child/index.ts'
import { ParserBroken, prepareEngine } from './engine.ts'
import { createLineReader, cutLine } from './lines.ts'
import { createSandbox, type Sandbox, SandboxBroken, type SandboxLimits } from './sandbox.ts'

await prepareEngine()

interface Load {
  source: string
  valves: string
}

export const tasks = {
  host: async ({ limits }: { limits: SandboxLimits }, { body, write }: TaskContext): Promise<void> => {
    const sandboxes = new Map<number, Sandbox>()
    let handled = 0
    let out: string[] = []
    const sendFor = (plugin: number) => (text: string) => void out.push(`${plugin} ${handled} ${text}\n`)

    const load = async (plugin: number, text: string): Promise<void> => {
      const { source, valves } = JSON.parse(text) as Load
      try {
        const sandbox = await createSandbox({ source, valves, limits, send: sendFor(plugin) })
        sandboxes.set(plugin, sandbox)
        sendFor(plugin)(JSON.stringify({ t: 'loaded', facts: JSON.parse(sandbox.facts) }))
      } catch (problem) {
        // Ends the process: the server finds out whose line it was, and starts another for the rest.
        if (problem instanceof ParserBroken) throw problem
        const { name, message, stack = '' } = problem as Error
        // The line as the author wrote it. Stripping types keeps every line where it is.
        const line = /plugin\.ts:(\d+)/.exec(stack)?.[1]
        const words = line === undefined ? message : `${message} (line ${line})`
        sendFor(plugin)(JSON.stringify({ t: 'broken', error: { name, message: words, stack } }))
      }
    }
    const say = (plugin: number, text: string): void => {
      try {
        sandboxes.get(plugin)?.receive(text)
      } catch (problem) {
        sandboxes.delete(plugin)
        if (!(problem instanceof SandboxBroken)) throw problem
        sendFor(plugin)(JSON.stringify({ t: 'broken', error: { name: problem.name, message: problem.message } }))
      }
    }
    const handle = async (line: string): Promise<void> => {
      const { number: plugin, word, rest } = cutLine(line)
      handled += 1
      if (word === 'load') await load(plugin, rest)
      else if (word === 'say') say(plugin, rest)
      else sandboxes.delete(plugin)
      if (out.length === 0) out.push(`0 ${handled} null\n`)
      const text = out.join('')
      out = []
      await write(Buffer.from(text))
    }

    const lines: string[] = []
    const read = createLineReader((line) => void lines.push(line))
    for await (const piece of body) {
      read(piece)
      for (let line = lines.shift(); line !== undefined; line = lines.shift()) await handle(line)
    }
  },
}
