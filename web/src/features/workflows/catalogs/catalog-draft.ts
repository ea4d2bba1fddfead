/** A catalog while it is edited, and the body that it becomes. */
import { type PriceDrafts, priceDrafts, pricesBody } from '#lib/prices.ts'
import type { CatalogItem } from './api.ts'

export interface EntryDraft {
  /** For React alone; the server knows entries by their name. */
  rowId: number
  name: string
  type: 'compat' | 'upstream'
  url: string
  /** What was typed; blank keeps the stored one. */
  key: string
  dropsKey: boolean
  /** As typed: one id on each line, or parted by commas. */
  models: string
  prices: PriceDrafts
  /** The entry as it is stored, where it is. */
  stored?: CatalogItem['entries'][number]
}

export const newEntry = (rowId: number): EntryDraft => ({
  ...{ rowId, name: '', type: 'compat', url: '', key: '', dropsKey: false, models: '', prices: priceDrafts() },
})

export const entriesOf = (catalog: CatalogItem | undefined): EntryDraft[] =>
  catalog === undefined
    ? [newEntry(0)]
    : catalog.entries.map((stored, rowId) => ({
        ...{ rowId, name: stored.name, type: stored.type, url: stored.url, key: '', dropsKey: false },
        ...{ models: stored.model_ids.join('\n'), prices: priceDrafts(stored.prices), stored },
      }))

export const modelIdsOf = (typed: string): string[] => [
  ...new Set(
    typed
      .split(/[\n,]/)
      .map((id) => id.trim())
      .filter(Boolean),
  ),
]

const originOf = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).origin : undefined)

/**
 * Whether the server will keep the key it has. It knows an entry by name, type and server: whoever changes one of them
 * enters the key anew, so that no key can be sent to a place it was not meant for.
 */
export function keepsKey({ stored, name, type, url, key, dropsKey }: EntryDraft): boolean {
  if (!stored?.has_key || dropsKey || key !== '') return false
  const isSameServer = originOf(stored.url) !== undefined && originOf(stored.url) === originOf(url.trim())
  return stored.name === name.trim() && stored.type === type && isSameServer
}

const keyOf = ({ key, dropsKey }: EntryDraft) => {
  if (dropsKey) return { key: null }
  return key.trim() === '' ? {} : { key: key.trim() }
}

export const catalogBody = (fields: { name?: string; description?: string }, entries: readonly EntryDraft[]) => ({
  name: fields.name ?? '',
  description: (fields.description ?? '').trim(),
  entries: entries.map((entry) => ({
    ...{ name: entry.name, type: entry.type, url: entry.url.trim(), ...keyOf(entry) },
    model_ids: modelIdsOf(entry.models),
    prices: pricesBody(entry.prices, modelIdsOf(entry.models)),
  })),
})

interface Issue {
  path: readonly PropertyKey[]
  message: string
}

/** `entries.1.url` → the problem of that field of the second entry; what is about the whole list has no index. */
export function problemsByEntry(issues: readonly Issue[]): Map<number, Record<string, string>> {
  const found = new Map<number, Record<string, string>>()
  for (const { path, message } of issues) {
    const [first, index, field] = path
    if (first !== 'entries' || typeof index !== 'number') continue
    const problems = found.get(index) ?? {}
    problems[typeof field === 'string' ? field : 'name'] ??= message
    found.set(index, problems)
  }
  return found
}
