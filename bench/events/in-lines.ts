/** Runs a script in a separate process that answers each input line with a line of JSON. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export interface Answering {
  ask<Answer>(line: string): Promise<Answer>
  stop(): Promise<void>
}

export const startAnswering = async (script: string, args: readonly string[]): Promise<Answering> => {
  const file = fileURLToPath(new URL(script, import.meta.url))
  const child = spawn(process.execPath, [file, ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async (): Promise<string> => {
    const { value, done } = await lines.next()
    if (done) throw new Error(`${script} ended early`)
    return value
  }
  await next()
  return {
    ask: async <Answer>(line: string) => {
      child.stdin.write(`${line}\n`)
      return JSON.parse(await next()) as Answer
    },
    stop: async () => {
      child.stdin.end()
      await once(child, 'exit')
    },
  }
}
