/** A filter as a condition over `users` of one organization. What directories ask for each person is found by an index. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { AppError } from '#kernel/errors.ts'
import { isUuid } from '#kernel/ids.ts'
import type { Comparison, Filter, Operand } from '../filter/parse-filter.ts'

type Condition = RawBuilder<SqlBool>

const kept = (column: string) =>
  sql`(select ${sql.ref(column)} from scim_people
    where user_id = users.id and organization_id = users.organization_id)`

/** Without regard to case, except for `externalId`. */
const texts = new Map<string, RawBuilder<unknown>>([
  ['id', sql`users.id::text`],
  ['externalid', kept('external_id')],
  ['username', sql`coalesce(${kept('user_name')}, users.email)`],
  ['displayname', sql`lower(users.name)`],
  ['name.formatted', sql`lower(users.name)`],
  ['name.givenname', sql`lower(${kept('given_name')})`],
  ['name.familyname', sql`lower(${kept('family_name')})`],
  ['emails', sql`users.email`],
  ['emails.value', sql`users.email`],
  ['emails.type', sql`'work'::text`],
])
const times = new Map<string, RawBuilder<unknown>>([
  ['meta.created', sql`users.created_at`],
  ['meta.lastmodified', sql`coalesce(${kept('changed_at')}, users.created_at)`],
])
const flags = new Map<string, RawBuilder<unknown>>([
  ['active', sql`(users.status = 'ACTIVE')`],
  ['emails.primary', sql`true`],
])

const signs = { eq: sql`=`, ne: sql`<>`, gt: sql`>`, ge: sql`>=`, lt: sql`<`, le: sql`<=` }

const invalid = (detail: string) => new AppError('scim_invalid_filter', { detail })

const byIndex = (path: string, value: string, organizationId: string): Condition | undefined => {
  if (path === 'id') return isUuid(value) ? sql<SqlBool>`users.id = ${value}` : sql<SqlBool>`false`
  const found = (column: string, text: string) =>
    sql<SqlBool>`users.id = any(array(select user_id from scim_people
      where organization_id = ${organizationId} and ${sql.ref(column)} = ${text}))`
  if (path === 'externalid') return found('external_id', value)
  const text = value.toLowerCase()
  if (path === 'emails' || path === 'emails.value') return sql<SqlBool>`users.email = ${text}`
  if (path !== 'username') return undefined
  return sql<SqlBool>`(${found('user_name', text)} or users.email = ${text} and ${kept('user_name')} is null)`
}

const textTest = (expression: RawBuilder<unknown>, op: Comparison, value: string): Condition => {
  if (op === 'co') return sql<SqlBool>`strpos(${expression}, ${value}) > 0`
  if (op === 'sw') return sql<SqlBool>`starts_with(${expression}, ${value})`
  if (op === 'ew') return sql<SqlBool>`right(${expression}, length(${value}::text)) = ${value}`
  if (op === 'ne') return sql<SqlBool>`${expression} is distinct from ${value}`
  return sql<SqlBool>`${expression} collate "C" ${signs[op]} ${value}`
}

const flagTest = (expression: RawBuilder<unknown>, op: Comparison, value: Operand): Condition => {
  const text = String(value).toLowerCase()
  if ((op !== 'eq' && op !== 'ne') || (text !== 'true' && text !== 'false'))
    throw invalid('A yes or no is compared with “eq true” or “eq false”.')
  return sql<SqlBool>`${expression} = ${(text === 'true') === (op === 'eq')}`
}

const timeTest = (expression: RawBuilder<unknown>, op: Comparison, value: Operand): Condition => {
  const at = new Date(typeof value === 'string' ? value : Number.NaN)
  if (Number.isNaN(at.getTime()) || !(op in signs))
    throw invalid('A time is compared with a date such as “2026-01-31T00:00:00Z”.')
  return sql<SqlBool>`date_trunc('milliseconds', ${expression}) ${signs[op as keyof typeof signs]} ${at}`
}

const test = (path: string, op: Comparison, value: Operand, organizationId: string): Condition => {
  const flag = flags.get(path)
  if (flag) return flagTest(flag, op, value)
  const time = times.get(path)
  if (time) return timeTest(time, op, value)
  const expression = textOf(path)
  if (value === null) return sql<SqlBool>`${expression} is ${op === 'ne' ? sql`not null` : sql`null`}`
  if (op === 'eq') {
    const found = byIndex(path, String(value), organizationId)
    if (found) return found
  }
  return textTest(expression, op, path === 'externalid' ? String(value) : String(value).toLowerCase())
}

const textOf = (path: string): RawBuilder<unknown> => {
  const expression = texts.get(path)
  if (!expression) throw invalid(`People can't be filtered by “${path.slice(0, 100)}”.`)
  return expression
}

/** Throws `scim_invalid_filter`. */
export const conditionOf = (filter: Filter, organizationId: string): Condition => {
  if (filter.op === 'and' || filter.op === 'or') {
    const parts = filter.of.map((part) => conditionOf(part, organizationId))
    return sql<SqlBool>`(${sql.join(parts, filter.op === 'and' ? sql` and ` : sql` or `)})`
  }
  if (filter.op === 'not') return sql<SqlBool>`not coalesce(${conditionOf(filter.of, organizationId)}, false)`
  if (filter.op !== 'pr') return test(filter.path, filter.op, filter.value, organizationId)
  if (flags.has(filter.path) || times.has(filter.path)) return sql<SqlBool>`true`
  return sql<SqlBool>`coalesce(${textOf(filter.path)}, '') <> ''`
}
