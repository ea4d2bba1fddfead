/** The app at one address for all files of a worker: a browser keeps what it has loaded and compiled by address. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { type TestAppOptions, testApp } from '../harness/app.ts'

/** Outside of the range that the system chooses from, so that nobody is given it between two files. */
const firstPort = 20_000 + (process.pid % 10_000)

const isFree = async (port: number): Promise<boolean> => {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}

/** The same each time, unless another app is there at the moment. */
export const appPort = async (): Promise<number> => {
  let port = firstPort
  while (!(await isFree(port))) port += 1
  return port
}

export const browserApp = async ({ env, ...options }: TestAppOptions = {}) =>
  testApp({ ...options, env: { PORT: String(await appPort()), ...env } })
