/** What is attached to the message being written: uploads with their progress, and references to what is there already. */
import { FileStatus } from '@chancery/contract/files.ts'
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#lib/api.ts'
import { dropUpload, startUploads, type Upload, useUploads } from '#lib/uploads.ts'
import type { MessageFile } from './message-files.ts'

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
}

type Entry = { uploadId: string } | MessageFile

/** By chat, so that another page and back keeps them, like the text. */
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
  const facts = { key, type, name: source.name, size: source.size, sent, id: file?.id } as const
  if (state === 'failed') return { ...facts, state: 'failed', error }
  if (state !== 'sent') return { ...facts, state: 'sending', error: undefined }
  if (type === 'image' || status?.status === 'completed') return { ...facts, state: 'ready', error: undefined }
  if (status?.status === 'failed') return { ...facts, state: 'failed', error: status.error }
  return { ...facts, state: 'processing', error: undefined }
}

const fromReference = ({ type, id, name, size }: MessageFile): Attached => ({
  key: id,
  type,
  name,
  size,
  state: 'ready',
  sent: 1,
  error: undefined,
  id,
})

export function useAttachments(chatId: string) {
  const [entries, setEntries] = useState<readonly Entry[]>(() => drafts.get(chatId) ?? [])
  /** From what is stored, not from this render: reading a dropped folder takes longer than one. */
  const change = (make: (now: readonly Entry[]) => readonly Entry[]) => {
    const next = make(drafts.get(chatId) ?? [])
    drafts.set(chatId, next)
    setEntries(next)
  }
  const all = useUploads()
  const own = entries.flatMap((entry) =>
    'uploadId' in entry ? (all.find(({ id }) => id === entry.uploadId) ?? []) : [],
  )
  const sent = own.filter(({ state, source }) => state === 'sent' && !isImage(source))
  const statuses = useQueries({
    queries: sent.map(({ file }) => ({
      queryKey: ['file-status', file?.id],
      queryFn: () => api.get(`/api/v1/files/${file?.id}/process/status`, FileStatus),
      refetchInterval: ({ state }: { state: { data?: FileStatus | undefined } }) =>
        state.data === undefined || state.data.status === 'pending' ? pollMs : (false as const),
    })),
  })
  const statusOf = (upload: Upload) => statuses[sent.indexOf(upload)]?.data
  const items = entries.flatMap((entry): Attached[] => {
    if (!('uploadId' in entry)) return [fromReference(entry)]
    const upload = own.find(({ id }) => id === entry.uploadId)
    return upload ? [fromUpload(upload, statusOf(upload))] : []
  })
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
    },
    restore: (files: readonly MessageFile[]) => change(() => files),
  }
}

export const isReady = ({ state }: Attached) => state === 'ready'

export const toMessageFiles = (items: readonly Attached[]): MessageFile[] =>
  items.flatMap(({ type, id, name, size }) => (id === undefined ? [] : [{ type, id, name, size }]))
