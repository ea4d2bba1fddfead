/** The calls that a folder's sync makes. */

import * as filesEndpoints from '@chancery/contract/endpoints/files.ts'
import * as knowledgeEndpoints from '@chancery/contract/endpoints/knowledge.ts'
import { FileRecord } from '@chancery/contract/files/files.ts'
import type { SyncReply } from '@chancery/contract/files/knowledge.ts'
import { addressOf } from '@chancery/contract/reading/address.ts'
import { api } from '#lib/http/api.ts'
import { call } from '#lib/http/call.ts'

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
  call(knowledgeEndpoints.syncCollection, { params: { id: collectionId }, body })

export const previewSync = (collectionId: string, files: readonly FolderFile[]) =>
  sync(collectionId, { files: files.map(({ path, hash }) => ({ path, hash })), preview: true })

/** Removes and replaces only what the preview showed; if it would be more, the server refuses it. */
export const applySync = (collectionId: string, files: readonly SyncEntry[], { plan }: SyncReply) =>
  sync(collectionId, { files, expected_removals: plan?.removed ?? [], expected_changes: plan?.changed ?? [] })

export function uploadSource(source: File, signal: AbortSignal): Promise<FileRecord> {
  const form = new FormData()
  form.append('file', source, source.name)
  return api.upload(addressOf(filesEndpoints.uploadFile), form, FileRecord, { signal, onProgress: () => {} })
}

export const readFile = (id: string) => call(filesEndpoints.getFile, { params: { id } })
export const deleteFile = (id: string) => call(filesEndpoints.deleteFile, { params: { id } })
