/** Which release this is. A release archive has `build.json` beside `package.json`; a clone has not. */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseOwn } from '#kernel/json/parse-own.ts'

interface Build {
  commit: string
  builtAt: string
}

const read = (name: string): unknown => {
  const path = fileURLToPath(new URL(`../../../${name}`, import.meta.url))
  return existsSync(path) ? parseOwn(readFileSync(path, 'utf8')) : undefined
}

export const releaseNumber = (): string => (read('package.json') as { version: string }).version

export const readVersion = (): string => {
  const build = read('build.json') as Build | undefined
  const made = build ? ` (commit ${build.commit}, built ${build.builtAt})` : ''
  return `chancery ${releaseNumber()}${made}`
}
