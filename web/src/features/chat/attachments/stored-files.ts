/** The files of unsent messages, stored in this browser beside their text. Pure, but for the storage. */
import { readStored, removeStored, store } from '#lib/browser/browser-storage.ts'
import { isMessageFile, type MessageFile } from './message-files.ts'

/** A file that this person uploaded may still be read by the server, or be gone by now. */
export type StoredFile = MessageFile & { isUpload?: boolean }

export function parseStoredFiles(text: string | undefined): StoredFile[] {
  if (text === undefined) return []
  try {
    const files: unknown = JSON.parse(text)
    return Array.isArray(files) ? files.filter(isMessageFile) : []
  } catch {
    return []
  }
}

export const readStoredFiles = (key: string | undefined): StoredFile[] =>
  key === undefined ? [] : parseStoredFiles(readStored(key))

export function storeFiles(key: string | undefined, files: readonly StoredFile[]) {
  if (key === undefined) return
  if (files.length === 0) removeStored(key)
  else store(key, JSON.stringify(files))
}
