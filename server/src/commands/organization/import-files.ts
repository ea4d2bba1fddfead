/** The files of an import: only those that its rows name, under keys that nobody else has. */
import type pg from 'pg'
import { StartError } from '#kernel/process/start-error.ts'
import { namedFiles } from '../backup/database/named-files.ts'
import type { Part } from '../backup/file/reader.ts'
import { counted, type Progress } from '../backup/progress.ts'
import { requireFreeKeys } from './check-import.ts'
import { exported, forOrganization } from './tables.ts'

export interface Store {
  put(key: string, content: AsyncIterable<Uint8Array>): Promise<unknown>
  delete(key: string): Promise<void>
}

interface Storing {
  store: Store
  progress: Progress
  /** The keys of files that were stored so far. */
  stored: string[]
  /** Those that are expected still. */
  named: Set<string>
}

export const findNamedFiles = async (client: pg.Client, id: string): Promise<Set<string>> => {
  const named = new Set<string>()
  const which = (table: string) => exported[table] && forOrganization(exported[table].where, id)
  for await (const key of namedFiles(client, which)) named.add(key)
  await requireFreeKeys(client, { id, named })
  return named
}

export const storeFile = async (part: Part, { named, store, stored, progress }: Storing): Promise<void> => {
  const key = part.header.name.slice('files/'.length)
  if (!part.header.name.startsWith('files/') || !named.delete(key))
    throw new StartError(`The file is damaged: ${part.header.name} isn't what an export has. Use another one.`)
  stored.push(key)
  await store.put(key, counted(part.content, progress))
}
