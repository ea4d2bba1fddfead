/** The comments of the contract's schemas and of their fields: what the API description says about them. */
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export interface SchemaComment {
  about?: string
  fields: ReadonlyMap<string, string>
}

const source = fileURLToPath(new URL('../../contract/src/', import.meta.url))

const textOf = (comment: string): string =>
  comment
    .replace(/^\s*\/\*\*|\*\/\s*$/g, '')
    .replace(/^\s*\* ?/gm, '')
    .replace(/\s+/g, ' ')
    .trim()

const comment = String.raw`\/\*\*(?:(?!\*\/)[\s\S])*\*\/`
const declaration = new RegExp(String.raw`(?:^(${comment})\n)?^export const (\w+)\b`, 'gm')
/** Fields of the schema itself: deeper ones stand further to the right. */
const field = (indent: string) => new RegExp(String.raw`^${indent}(${comment})\n${indent}(\w+):`, 'gm')

const commentsIn = (text: string): [string, SchemaComment][] => {
  const found = [...text.matchAll(declaration)]
  return found.map(({ 1: about, 2: name = '', index }, at): [string, SchemaComment] => {
    const body = text.slice(text.indexOf('export const', index), found[at + 1]?.index)
    const indent = /^ {2}\.\w+\(\{$/m.test(body) ? '    ' : '  '
    const fields = [...body.matchAll(field(indent))].map(([, said = '', key = '']): [string, string] => [
      key,
      textOf(said),
    ])
    return [name, { ...(about !== undefined && { about: textOf(about) }), fields: new Map(fields) }]
  })
}

/** By the schema's name; where two files have the same, what one of them says may belong to the other, so neither counts. */
export const readSchemaComments = (): Map<string, SchemaComment> => {
  const all = globSync('**/*.ts', { cwd: source })
    .filter((file) => !/\.test\.ts$|^endpoints\/|^errors\//.test(file))
    .flatMap((file) => commentsIn(readFileSync(source + file, 'utf8')))
  const byName = Map.groupBy(all, ([name]) => name)
  return new Map([...byName.values()].flatMap((same) => (same.length === 1 ? same : [])))
}
