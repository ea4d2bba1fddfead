/**
 * Pure. What each row of a table asks for. Columns: `<role> name` and `<role> email` for every role, optionally `title`,
 * `<role> language`, and the label of a field, whose value is then there from the start.
 */
import { isMark, signingLanguages } from '@chancery/contract/signing/signing.ts'
import { UseBody } from '@chancery/contract/signing/templates.ts'
import { onlyTheSigner } from '../fields/check-prefilled.ts'
import type { FieldRow } from '../queries/fields.ts'

type Request = Omit<UseBody, 'send'>

export interface PlannedRow {
  row: number
  title: string
  problems: string[]
  /** Null where there is a problem. */
  request: Request | null
}

interface Template {
  title: string
  roles: readonly { id: string; name: string }[]
  fields: readonly Pick<FieldRow, 'id' | 'label' | 'type'>[]
}

const key = (text: string): string => text.trim().toLowerCase()

/** A label may be shared by a signature and a text. */
const isOnlyMark = ({ fields }: Template, label: string): boolean =>
  fields.every((field) => field.label === null || key(field.label) !== key(label) || isMark(field.type))

/** A problem of the header is one of every row, so it is listed once. */
export const findHeaderProblems = (header: readonly string[], template: Template): string[] => {
  const columns = header.map(key)
  const known = new Set(['title', ...template.fields.flatMap(({ label }) => (label === null ? [] : key(label)))])
  for (const { name } of template.roles)
    for (const part of ['name', 'email', 'language']) known.add(key(`${name} ${part}`))
  const missing = template.roles
    .flatMap(({ name }) => [`${name} name`, `${name} email`])
    .filter((column) => !columns.includes(key(column)))
  return [
    ...missing.map((column) => `The column “${column}” is missing.`),
    ...header.filter((column) => !known.has(key(column))).map((column) => `The column “${column}” is unknown.`),
    ...template.fields.flatMap(({ label, type }) =>
      label !== null && isMark(type) && isOnlyMark(template, label) && columns.includes(key(label))
        ? [`“${label}”: ${onlyTheSigner}`]
        : [],
    ),
    ...(new Set(columns).size < columns.length ? ['A column is there twice.'] : []),
  ]
}

export const planRow = (
  template: Template,
  { header, cells, row }: { header: readonly string[]; cells: readonly string[]; row: number },
): PlannedRow => {
  const cell = new Map(header.map((column, index) => [key(column), (cells[index] ?? '').trim()]))
  const title = cell.get('title') || template.title
  const languages: readonly string[] = signingLanguages
  const request = {
    title,
    recipients: template.roles.map(({ id, name }) => {
      const language = cell.get(key(`${name} language`)) || undefined
      return {
        roleId: id,
        name: cell.get(key(`${name} name`)) ?? '',
        email: cell.get(key(`${name} email`)) ?? '',
        ...(language !== undefined && languages.includes(language) && { language }),
      }
    }),
    values: template.fields.flatMap(({ id, label, type }) => {
      const text = label === null || isMark(type) ? '' : (cell.get(key(label)) ?? '')
      return text === '' ? [] : [{ fieldId: id, value: type === 'CHECKBOX' ? /^(true|yes|x|1)$/i.test(text) : text }]
    }),
  }
  const tooMany = cells.length > header.length ? ['The row has more cells than the header.'] : []
  const parsed = UseBody.omit({ send: true }).safeParse(request)
  if (parsed.success && tooMany.length === 0) return { row, title, problems: [], request: parsed.data }
  const problems = parsed.success
    ? []
    : parsed.error.issues.map(({ path, message }) => sentence(template, path, message))
  return { row, title, problems: [...tooMany, ...problems], request: null }
}

const sentence = ({ roles }: Template, path: readonly PropertyKey[], message: string): string => {
  const role = path[0] === 'recipients' && typeof path[1] === 'number' ? roles[path[1]]?.name : undefined
  const where = role === undefined ? String(path[0] ?? '') : `${role} ${String(path[2] ?? '')}`
  return `${where}: ${message}`
}
