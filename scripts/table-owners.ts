/**
 * Which module owns a table: the one that declares its type (`interface Tables`), or else the only one whose code names
 * it.
 */
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const source = fileURLToPath(new URL('../server/src/', import.meta.url))

const moduleOf = (path: string): string => /^modules\/([^/]+)/.exec(path)?.[1] ?? 'kernel'

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const declaredIn = (text: string): string[] => {
  const [, body = ''] =
    /declare module '#kernel\/db\/tables\.ts' \{\s+interface Tables \{(.*?)\n {2}\}/s.exec(text) ?? []
  return Array.from(body.matchAll(/^ {4}(\w+):/gm), ([, name = '']) => snakeCase(name))
}

/** Tests, commands and the removal of a demo name tables of others. */
const exclude = ['**/*.test.ts', 'commands/**', 'modules/demo/queries/rest.ts']

export const readOwners = (tables: readonly string[]): ((table: string) => string) => {
  const files = globSync('**/*.ts', { cwd: source, exclude }).map((path) => ({
    module: moduleOf(path),
    text: readFileSync(source + path, 'utf8'),
  }))
  const declared = new Map(files.flatMap(({ module, text }) => declaredIn(text).map((table) => [table, module])))
  const namedIn = (table: string) =>
    new Set(files.filter(({ text }) => new RegExp(`\\b${table}\\b`).test(text)).map(({ module }) => module))
  const owners = new Map(
    tables.map((table) => {
      const [owner = declared.get(table), ...others] = declared.has(table) ? [] : namedIn(table)
      if (owner === undefined || others.length > 0)
        throw new Error(`No module, or more than one, has the table ${table}.`)
      return [table, owner]
    }),
  )
  return (table) => owners.get(table) ?? 'kernel'
}
