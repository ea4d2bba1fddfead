/** A schema as a table of its fields. */
import { escapeHtml, tableHtml } from '../html.ts'
import { nameOf, type Schema } from './description.ts'
import { inlineMarkdown } from './inline.ts'

interface Row {
  name: string
  schema: Schema
  isRequired: boolean
}

const mostDepth = 3

const code = (value: unknown): string => `<code>${escapeHtml(JSON.stringify(value))}</code>`

/** What a reader needs of a type: its name, its values, or what it refers to. */
export const typeHtml = (schema: Schema): string => {
  if (schema.$ref) return `<a href="#${anchorOf(schema.$ref)}">${escapeHtml(nameOf(schema.$ref))}</a>`
  if (schema.const !== undefined) return code(schema.const)
  if (schema.enum) return schema.enum.map(code).join(' | ')
  const either = schema.anyOf ?? schema.oneOf
  if (either) return [...new Set(either.map(typeHtml))].join(' or ')
  if (schema.allOf) return schema.allOf.map(typeHtml).join(' and ')
  if (schema.items) return `list of ${typeHtml(schema.items)}`
  if (schema.type === undefined) return 'anything'
  const type = [schema.type].flat().join(' or ')
  return escapeHtml(schema.format === undefined ? type : `${type} (${schema.format})`)
}

export const anchorOf = (ref: string): string => `schema-${nameOf(ref)}`

const limitsOf = ({ minimum, maximum, minLength, maxLength, default: usual }: Schema): string[] => [
  ...(minimum === undefined ? [] : [`at least ${minimum}`]),
  ...(maximum === undefined ? [] : [`at most ${maximum}`]),
  ...(minLength === undefined || minLength < 2 ? [] : [`${minLength} characters or more`]),
  ...(maxLength === undefined ? [] : [`up to ${maxLength} characters`]),
  ...(usual === undefined ? [] : [`default ${JSON.stringify(usual)}`]),
]

/** Fields of objects inside stand below their parent: `mail.status`, `pages[].width`. */
const rowsOf = (schema: Schema, prefix: string, depth: number): Row[] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const row = { name: `${prefix}${name}`, schema: field, isRequired: schema.required?.includes(name) ?? false }
    if (depth === mostDepth) return [row]
    const parts = [field, ...(field.anyOf ?? [])]
    const inside = parts.flatMap((part) => [
      ...rowsOf(part, `${row.name}.`, depth + 1),
      ...(part.items ? rowsOf(part.items, `${row.name}[].`, depth + 1) : []),
    ])
    return [row, ...inside]
  })

const cellsOf = ({ name, schema, isRequired }: Row): string[] => {
  const about = schema.description ? [inlineMarkdown(schema.description)] : []
  const mark = isRequired ? ' <span class="required">required</span>' : ''
  const notes = [...about, ...limitsOf(schema).map(escapeHtml)].join('; ')
  return [`<code>${escapeHtml(name)}</code>${mark}`, typeHtml(schema), notes]
}

export const rowsHtml = (rows: readonly Row[]): string => tableHtml(['Name', 'Type', 'Meaning'], rows.map(cellsOf))

export const fieldsHtml = (schema: Schema): string => {
  const rows = rowsOf(schema, '', 0)
  const about = schema.description ? `<p>${inlineMarkdown(schema.description)}</p>` : ''
  return rows.length > 0 ? `${about}${rowsHtml(rows)}` : `${about}<p>${typeHtml({ ...schema, description: '' })}</p>`
}
