/** Attachments of the message being written: uploads with their progress, and references to files and collections. */
import type { FileStatus } from '@chancery/contract/files/files.ts'
import { useQueries } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { dropUpload, startUploads, type Upload, useUploads } from '#data/uploads.ts'
import { usePerson } from '#data/viewer.ts'
import { ApiError } from '#lib/problems/api-error.ts'
import { readProgress } from './api.ts'
import type { MessageFile } from './message-files.ts'
import { parseStoredFiles, readStoredFiles, type StoredFile, storeFiles } from './stored-files.ts'

export interface Attached {
  key: string
  type: MessageFile['type']
  name: string
  size: number | undefined
  state: 'sending' | 'processing' | 'ready' | 'failed'
  /** The part that was sent, from 0 to 1. */
  sent: number
  error: string | undefined
  /** Undefined until the upload has ended. */
  id: string | undefined
  /** Uploaded by this person, as opposed to a reference to what was there. */
  isUpload: boolean
}

type Entry = { uploadId: string } | StoredFile

/** By person and chat, so that another page and back keeps them, like the text. What was sent also survives a reload. */
const drafts = new Map<string, readonly Entry[]>()

const imageTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])
const isImage = ({ type }: Pick<File, 'type'>) => imageTypes.has(type)

const keyOf = (entry: Entry) => ('uploadId' in entry ? entry.uploadId : entry.id)
const pollMs = 1000

const fromUpload = (
  { id: key, source, state, sent, error, file }: Upload,
  status: FileStatus | undefined,
): Attached => {
  const type = isImage(source) ? 'image' : 'file'
  const facts = { key, type, name: source.name, size: source.size, sent, id: file?.id, isUpload: true } as const
  if (state === 'failed') return { ...facts, state: 'failed', error }
  if (state !== 'sent') return { ...facts, state: 'sending', error: undefined }
  return { ...facts, ...stateOf(type, status) }
}

/** Of a file that the server has. */
function stateOf(type: MessageFile['type'], status: FileStatus | undefined): Pick<Attached, 'state' | 'error'> {
  if (type !== 'file' || status?.status === 'completed') return { state: 'ready', error: undefined }
  if (status?.status === 'failed') return { state: 'failed', error: status.error }
  return { state: 'processing', error: undefined }
}

const fromStored = (
  { type, id, name, size, isUpload = false }: StoredFile,
  status: FileStatus | undefined,
  isGone: boolean,
): Attached => {
  const facts = { key: id, type, name, size, sent: 1, id, isUpload }
  if (isGone) return { ...facts, state: 'failed', error: 'This file was deleted.' }
  return { ...facts, ...(isUpload ? stateOf(type, status) : { state: 'ready', error: undefined }) }
}

const isNotFound = (error: unknown) => error instanceof ApiError && error.status === 404
const isKept = ({ id, state }: Attached) => id !== undefined && state !== 'failed'

/** Undefined for a temporary chat, whose draft isn't stored. */
export function useAttachments(chatId: string | undefined) {
  const person = usePerson()
  const draft = `${person.id}.${chatId ?? 'temporary'}`
  const storeKey = chatId && `draft-files.${draft}`
  const [entries, setEntries] = useState<readonly Entry[]>(() => {
    const known = drafts.get(draft) ?? readStoredFiles(storeKey)
    drafts.set(draft, known)
    return known
  })
  /** From what is stored, not from this render: reading a dropped folder takes longer than one. */
  const change = (make: (now: readonly Entry[]) => readonly Entry[]) => {
    const next = make(drafts.get(draft) ?? [])
    drafts.set(draft, next)
    setEntries(next)
  }
  const all = useUploads()
  const own = entries.flatMap((entry) =>
    'uploadId' in entry ? (all.find(({ id }) => id === entry.uploadId) ?? []) : [],
  )
  const read = [
    ...own.flatMap(({ state, source, file }) => (state === 'sent' && !isImage(source) && file ? file.id : [])),
    ...entries.flatMap((entry) => (!('uploadId' in entry) && entry.isUpload && entry.type === 'file' ? entry.id : [])),
  ]
  const statuses = useQueries({
    queries: read.map((id) => ({
      queryKey: ['file-status', id],
      queryFn: () => readProgress(id),
      refetchInterval: ({ state }: { state: { data?: FileStatus | undefined; error: Error | null } }) =>
        state.error === null && (state.data === undefined || state.data.status === 'pending') && pollMs,
    })),
  })
  const statusOf = (id: string | undefined) => statuses[id === undefined ? -1 : read.indexOf(id)]
  const items = entries.flatMap((entry): Attached[] => {
    if (!('uploadId' in entry)) {
      const status = statusOf(entry.id)
      return [fromStored(entry, status?.data, isNotFound(status?.error))]
    }
    const upload = own.find(({ id }) => id === entry.uploadId)
    return upload ? [fromUpload(upload, statusOf(upload.file?.id)?.data)] : []
  })
  const kept = JSON.stringify(
    items.filter(isKept).map(({ type, id, name, size, isUpload }) => ({ type, id, name, size, isUpload })),
  )
  useEffect(() => storeFiles(storeKey, parseStoredFiles(kept)), [storeKey, kept])
  return {
    items,
    attach: (files: readonly File[]) => {
      const added = files.flatMap((file) => startUploads([file], { isProcessed: !isImage(file) }))
      change((now) => [...now, ...added.map((uploadId) => ({ uploadId }))])
    },
    refer: (file: MessageFile) => change((now) => [...now.filter((entry) => keyOf(entry) !== file.id), file]),
    remove: (key: string) => {
      dropUpload(key)
      change((now) => now.filter((entry) => keyOf(entry) !== key))
    },
    /** After sending. What couldn't be sent is put back by `restore`. */
    clear: () => {
      for (const { id } of own) dropUpload(id)
      change(() => [])
      storeFiles(storeKey, [])
    },
    restore: (files: readonly MessageFile[]) => change(() => files),
  }
}

export const isReady = ({ state }: Attached) => state === 'ready'

export const toMessageFiles = (items: readonly Attached[]): MessageFile[] =>
  items.flatMap(({ type, id, name, size }) => (id === undefined ? [] : [{ type, id, name, size }]))
