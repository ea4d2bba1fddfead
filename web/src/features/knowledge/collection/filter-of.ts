/** Pure. What was entered to narrow a search, as the server takes it. */
import type { FileFilter } from '@chancery/contract/files/knowledge.ts'

export interface FilterDraft {
  name: string
  type: string
  /** A day, such as 2026-01-31. */
  since: string
  /** One `key=value`. */
  metadata: string
}

/** Undefined where nothing narrows the search. */
export function filterOf({ name, type, since, metadata }: FilterDraft): FileFilter | undefined {
  const after = Date.parse(`${since}T00:00:00`)
  const [key = '', ...value] = metadata.split('=')
  const filter: FileFilter = {
    ...(name.trim() !== '' && { name: name.trim() }),
    ...(type !== '' && { content_type: type }),
    ...(Number.isFinite(after) && { created_after: Math.floor(after / 1000) }),
    ...(key.trim() !== '' && value.length > 0 && { metadata: { [key.trim()]: scalarOf(value.join('=').trim()) } }),
  }
  return Object.keys(filter).length > 0 ? filter : undefined
}

/** As JSON would write it; anything else is text. */
function scalarOf(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true'
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text
}
