/** The built-in tools with their functions, found in the code by the shape of a `BuiltinTool`. */
import { table } from './parts.ts'
import { type SourceFile, sourceFiles } from './source-files.ts'

interface Found {
  id: string
  name: string
  routes: string[]
  needsApproval: boolean
}

const idOrTool = /'(builtin:[a-z_]+)'|\bid: (\w+),|name: '(\w+)',\s*routes: \[([^\]]*)\](,\s*approval:)?/g

/** An id may be a constant, of this file or of another. */
const idCalled = (constant: string, text: string): string | undefined => {
  const stated = new RegExp(`const ${constant} = '(builtin:[a-z_]+)'`)
  return [text, ...sourceFiles.map((file) => file.text)].flatMap((file) => stated.exec(file)?.[1] ?? [])[0]
}

/** A route is written out or a constant of the file. */
const routesIn = (list: string, text: string): string[] =>
  list
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
    .map((item) => (item.startsWith("'") ? item : (new RegExp(`const ${item} = ('[^']+')`).exec(text)?.[1] ?? item)))
    .map((item) => `\`${item.replaceAll("'", '')}\``)

/** A tool belongs to the id before it. */
const toolsIn = ({ path, text }: SourceFile): Found[] => {
  let id: string | undefined
  const found: Found[] = []
  for (const [, nextId, constant, name, routes = '', approval] of text.matchAll(idOrTool)) {
    id = nextId ?? (constant === undefined ? undefined : idCalled(constant, text)) ?? id
    if (name === undefined) continue
    if (id === undefined) throw new Error(`No id comes before the tool ${name} in ${path}.`)
    found.push({ id, name, routes: routesIn(routes, text), needsApproval: approval !== undefined })
  }
  return found
}

export const builtinToolsTable = (): string =>
  table(
    ['Tool', 'Function', 'A key held to routes needs', 'Can ask the person first'],
    sourceFiles
      .flatMap(toolsIn)
      .toSorted((a, b) => (a.id + a.name < b.id + b.name ? -1 : 1))
      .map(({ id, name, routes, needsApproval }) => [
        `\`${id}\``,
        `\`${name}\``,
        routes.join(' and ') || 'nothing',
        needsApproval ? `\`tools.approval.${name}\`` : '',
      ]),
  )
