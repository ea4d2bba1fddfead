/** Runs clients to their end. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { ClientsOrder, ClientsResult } from './clients.ts'

const script = fileURLToPath(new URL('./clients.ts', import.meta.url))

export const runClients = async (order: ClientsOrder): Promise<ClientsResult> => {
  const { stdout } = await promisify(execFile)(process.execPath, [script, JSON.stringify(order)])
  const result = JSON.parse(stdout) as ClientsResult
  if (result.refused > 0) throw new Error(`${result.refused} of ${result.answered + result.refused} were refused`)
  return result
}

export const perSec = ({ answered, tookMs }: ClientsResult): number => (answered / tookMs) * 1000
