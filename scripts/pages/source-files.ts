/** The source files as they are now, so that pages name files by where they are and not by where they were. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export interface SourceFile {
  path: string
  text: string
}

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Paths from the root of the repository, files that aren't committed yet included. */
export const allPaths: readonly string[] = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard'],
  { cwd: root, encoding: 'utf8' },
)
  .split('\n')
  .filter((path) => path !== '' && existsSync(`${root}${path}`))

export const readText = (path: string): string => readFileSync(`${root}${path}`, 'utf8')

const code = /^(server\/src|contract\/src|expression)\/.*\.ts$/

export const sourceFiles: readonly SourceFile[] = allPaths
  .filter((path) => code.test(path) && !path.endsWith('.test.ts'))
  .map((path) => ({ path, text: readText(path) }))

/** `server/src/modules/signing/…` is of `signing`. */
export const moduleOf = (path: string): string | undefined => /^server\/src\/modules\/([^/]+)\//.exec(path)?.[1]

/** The files with this name, or with these last parts of a path, wherever they are. */
export const filesNamed = (name: string): SourceFile[] => {
  const found = allPaths.filter((path) => path.endsWith(`/${name}`))
  if (found.length === 0) throw new Error(`A page is written from ${name}, but there is no such file.`)
  return found.map((path) => ({ path, text: readText(path) }))
}
