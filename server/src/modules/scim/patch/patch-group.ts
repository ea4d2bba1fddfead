/** Pure. What operations make of a group. Its members are a set: a directory may add and remove thousands at a time. */
import { AppError } from '#kernel/errors.ts'
import { type Filter, type Path, parsePath } from '../filter/parse-filter.ts'
import { isObject, type Json, type Operation, single } from './operations.ts'

export interface GroupDraft {
  displayName?: unknown
  externalId?: unknown
  members: Set<string>
}

/** The draft is changed in place. */
export const patchGroup = (draft: GroupDraft, operations: readonly Operation[]): GroupDraft => {
  for (const { kind, path, value } of operations) {
    if (path !== undefined) apply(draft, parsePath(path), { kind, value })
    else for (const [key, part] of Object.entries(value as Json)) applyKey(draft, key, { kind, value: part })
  }
  return draft
}

type Change = Pick<Operation, 'kind' | 'value'>

const applyKey = (draft: GroupDraft, key: string, change: Change): void => {
  const attribute = key.toLowerCase()
  apply(draft, { attribute }, change)
}

const apply = (draft: GroupDraft, path: Path, change: Change): void =>
  setters.get(path.attribute)?.(draft, path, change)

const setName = (draft: GroupDraft, _path: Path, { kind, value }: Change): void => {
  draft.displayName = kind === 'remove' ? null : single(value)
}

const setExternalId = (draft: GroupDraft, _path: Path, { kind, value }: Change): void => {
  draft.externalId = kind === 'remove' ? null : single(value)
}

const setMembers = (draft: GroupDraft, { filter }: Path, { kind, value }: Change): void => {
  const given = filter ? namedIn(filter) : idsOf(value)
  if (kind === 'replace' && !filter) draft.members = new Set(given)
  else if (kind !== 'remove') for (const id of given) draft.members.add(id)
  // Without saying whom, everybody.
  else if (!filter && (value === undefined || value === null)) draft.members.clear()
  else for (const id of given) draft.members.delete(id)
}

const setters = new Map([
  ['displayname', setName],
  ['externalid', setExternalId],
  ['members', setMembers],
])

const refused = (detail: string) => new AppError('scim_invalid_value', { detail })

const idsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : value === null || value === undefined ? [] : [value]).map((item) => {
    const id: unknown = isObject(item) ? item.value : item
    if (typeof id !== 'string') throw refused('Each member needs a “value”, the id of a person.')
    return id.toLowerCase()
  })

/** `members[value eq "…"]`, one or several joined by `or`. */
const namedIn = (filter: Filter): string[] => {
  if (filter.op === 'or') return filter.of.flatMap(namedIn)
  if (filter.op === 'eq' && filter.path === 'members.value') return [String(filter.value).toLowerCase()]
  throw new AppError('scim_invalid_path', { detail: 'Members are named by “value eq”.' })
}
