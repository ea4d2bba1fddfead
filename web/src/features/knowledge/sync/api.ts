/** The calls that a folder's sync makes. */
import { FileRecord } from '@chancery/contract/files.ts'
import { SyncReply } from '@chancery/contract/knowledge.ts'
import { api } from '#lib/http/api.ts'
import { collectionsPath, filesPath } from '../api.ts'

export interface FolderFile {
  /** Inside the folder. */
  path: string
  hash: string
  source: File
}

interface SyncEntry {
  path: string
  hash: string
  file_id?: string
}

interface SyncRequest {
  files: readonly SyncEntry[]
  preview?: boolean
  expected_removals?: readonly string[]
  expected_changes?: readonly { path: string; hash: string }[]
}

const sync = (collectionId: string, body: SyncRequest) =>
  api.post(`${collectionsPath}/${collectionId}/sync`, body, SyncReply)

export const previewSync = (collectionId: string, files: readonly FolderFile[]) =>
  sync(collectionId, { files: files.map(({ path, hash }) => ({ path, hash })), preview: true })

/** Removes and replaces only what the preview showed; if it would be more, the server refuses it. */
export const applySync = (collectionId: string, files: readonly SyncEntry[], { plan }: SyncReply) =>
  sync(collectionId, { files, expected_removals: plan?.removed ?? [], expected_changes: plan?.changed ?? [] })

export function uploadSource(source: File, signal: AbortSignal): Promise<FileRecord> {
  const form = new FormData()
  form.append('file', source, source.name)
  return api.upload(`${filesPath}/`, form, FileRecord, { signal, onProgress: () => {} })
}

export const readFile = (id: string) => api.get(`${filesPath}/${id}`, FileRecord)
export const deleteFile = (id: string) => api.tell('DELETE', `${filesPath}/${id}`)
