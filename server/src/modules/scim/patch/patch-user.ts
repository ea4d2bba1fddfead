/**
 * Pure. What operations make of a person's attributes. A whole resource, as POST and PUT send it, is one operation without
 * a path. Attributes that aren't kept are left out without a word (RFC 7644, 3.3).
 */
import { AppError } from '#kernel/errors.ts'
import { matches, type Value } from '../filter/matches.ts'
import { type Filter, type Path, parsePath } from '../filter/parse-filter.ts'
import { isObject, type Json, type Operation, single } from './operations.ts'

export interface UserDraft {
  userName?: unknown
  externalId?: unknown
  displayName?: unknown
  active?: unknown
  name: Json
  emails: Json[]
}

const singles = new Map([
  ['username', 'userName'],
  ['externalid', 'externalId'],
  ['displayname', 'displayName'],
  ['active', 'active'],
] as const)
const nameParts = new Map([
  ['formatted', 'formatted'],
  ['givenname', 'givenName'],
  ['familyname', 'familyName'],
])
const emailParts = new Set(['value', 'type', 'primary', 'display'])
const mostEmails = 50

/** The draft is changed in place. */
export const patchUser = (draft: UserDraft, operations: readonly Operation[]): UserDraft => {
  for (const { kind, path, value } of operations) {
    if (path !== undefined) apply(draft, parsePath(path), { kind, value })
    else for (const [key, part] of Object.entries(value as Json)) applyKey(draft, key, { kind, value: part })
  }
  return draft
}

type Change = Pick<Operation, 'kind' | 'value'>

/** A key of a value without a path may be a path itself, or anything that isn't kept. */
const applyKey = (draft: UserDraft, key: string, change: Change): void => {
  let path: Path
  try {
    path = parsePath(key)
  } catch {
    return
  }
  apply(draft, path, change)
}

const apply = (draft: UserDraft, path: Path, change: Change): void => {
  const { attribute, sub } = path
  const field = singles.get(attribute as 'active')
  if (field) draft[field] = change.kind === 'remove' ? null : single(change.value)
  else if (attribute === 'name') applyName(draft, sub, change)
  else if (attribute === 'emails') applyEmails(draft, path, change)
}

const applyName = (draft: UserDraft, sub: string | undefined, { kind, value }: Change): void => {
  if (sub !== undefined) {
    setNamePart(draft.name, sub, kind === 'remove' ? null : single(value))
  } else if (kind === 'remove' || value === null) draft.name = {}
  else if (isObject(value)) for (const [key, part] of Object.entries(value)) setNamePart(draft.name, key, part)
  else throw new AppError('scim_invalid_value', { detail: '“name” must be an object.' })
}

const setNamePart = (name: Json, key: string, value: unknown): void => {
  const part = nameParts.get(key.toLowerCase())
  if (part) name[part] = value
}

const asEmails = (value: unknown): Json[] =>
  (Array.isArray(value) ? value : value === null || value === undefined ? [] : [value]).map((item) =>
    isObject(item)
      ? Object.fromEntries(Object.entries(item).map(([key, part]) => [key.toLowerCase(), part]))
      : { value: item },
  )

const applyEmails = (draft: UserDraft, { filter, sub }: Path, { kind, value }: Change): void => {
  if (!filter && sub === undefined) {
    const given = kind === 'remove' ? [] : asEmails(value)
    draft.emails = kind === 'add' ? [...draft.emails.filter((item) => !given.some(replaces(item))), ...given] : given
  } else {
    const targets = draft.emails.filter((item) => !filter || matches(filter, (path) => valuesOf(item, path)))
    if (kind === 'remove' && sub === undefined) draft.emails = draft.emails.filter((item) => !targets.includes(item))
    else if (kind === 'remove') for (const item of targets) delete item[sub ?? '']
    else for (const item of targets.length > 0 ? targets : [newEmail(draft, filter)]) fill(item, sub, value)
  }
  if (draft.emails.length > mostEmails)
    throw new AppError('scim_invalid_value', { detail: `A person may have ${mostEmails} emails.` })
}

const valuesOf = (item: Json, path: string): Value[] => [item[path.slice('emails.'.length)] as Value]

/** Another of its kind takes its place: only one can be the work address. */
const replaces = (item: Json) => (given: Json) =>
  given.value === item.value || (given.type !== undefined && given.type === item.type)

/** Entra ID sets `emails[type eq "work"].value` of somebody who has none yet. */
const newEmail = (draft: UserDraft, filter: Filter | undefined): Json => {
  const item: Json = {}
  const parts = filter?.op === 'and' ? filter.of : filter ? [filter] : []
  for (const part of parts) if (part.op === 'eq') setEmailPart(item, part.path.slice('emails.'.length), part.value)
  draft.emails.push(item)
  return item
}

const fill = (item: Json, sub: string | undefined, value: unknown): void => {
  if (sub !== undefined) setEmailPart(item, sub, single(value))
  else Object.assign(item, asEmails(value)[0])
}

const setEmailPart = (item: Json, part: string, value: unknown): void => {
  if (emailParts.has(part)) item[part] = value
}
