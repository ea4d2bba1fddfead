/** The reference server of the Model Context Protocol as its own process, over Streamable HTTP or the older SSE. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { freePort } from './free-port.ts'

const script = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'))

export const startMcpEverything = async (transport: 'streamableHttp' | 'sse') => {
  const port = await freePort()
  const child = spawn(process.execPath, [script, transport], {
    env: { PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  await new Promise<void>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text
      if (/(listening|running) on port/i.test(said)) resolve()
    })
    child.once('exit', () => reject(new Error(`the MCP server ended: ${said}`)))
  })
  return {
    url: `http://127.0.0.1:${port}/${transport === 'sse' ? 'sse' : 'mcp'}`,
    stop: async () => {
      if (child.exitCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}
