/** A secret may stand in a file instead of the environment, as containers and service managers hand them over. */
import { readFileSync, statSync } from 'node:fs'
import { StartError } from '../process/start-error.ts'

/** A key or a password; nothing that is larger was meant. */
const maxBytes = 64 * 1024

export const readSecretFile = (name: string, env: Readonly<Record<string, string | undefined>>): string | undefined => {
  const path = env[`${name}_FILE`]?.trim()
  if (path === undefined || path === '') return env[name]
  if (env[name]?.trim()) throw new StartError(`${name} and ${name}_FILE are both set: set one of them.`)
  try {
    if (statSync(path).size > maxBytes) throw new Error('it is larger than 64 kB')
    const content = readFileSync(path, 'utf8').trim()
    if (content === '') throw new Error('it is empty')
    return content
  } catch (problem) {
    throw new StartError(`${name}_FILE cannot be read: ${(problem as Error).message}.`)
  }
}
