/**
 * The uploads of this tab, at most three at a time. They are stored outside of React, so they continue on other pages;
 * the activity tray lists them. What was sent is the server's: closing the tab loses only what is still waiting here.
 */
import * as endpoints from '@chancery/contract/endpoints/files.ts'
import { FileRecord } from '@chancery/contract/files/files.ts'
import { addressOf } from '@chancery/contract/reading/address.ts'
import { useSyncExternalStore } from 'react'
import { createListeners } from '#lib/browser/listeners.ts'
import { uuidV4 } from '#lib/browser/uuid.ts'
import { api } from '#lib/http/api.ts'
import { onForget } from '#lib/tab/forget-tab.ts'

export interface Upload {
  id: string
  source: File
  /** Shown next to the name: where it goes. */
  target: UploadTarget
  state: 'queued' | 'sending' | 'sent' | 'failed'
  /** The part that was sent, from 0 to 1. */
  sent: number
  error?: string | undefined
  file?: FileRecord | undefined
}

export interface UploadTarget {
  /** The collection that gets the file once it is processed. */
  collection?: { id: string; name: string }
  /** False for a file without text, such as an image. */
  isProcessed?: boolean
  onSent?: (file: FileRecord) => void
}

const parallel = 3

let uploads: readonly Upload[] = []
const { subscribe, tell } = createListeners()
const running = new Map<string, AbortController>()

const isActive = ({ state }: Upload) => state === 'queued' || state === 'sending'

const warnBeforeLeaving = (event: BeforeUnloadEvent) => event.preventDefault()

function setUploads(next: readonly Upload[]) {
  uploads = next
  if (next.some(isActive)) addEventListener('beforeunload', warnBeforeLeaving)
  else removeEventListener('beforeunload', warnBeforeLeaving)
  tell()
}

const change = (id: string, fields: Partial<Upload>) =>
  setUploads(uploads.map((upload) => (upload.id === id ? { ...upload, ...fields } : upload)))

export const listUploads = (): readonly Upload[] => uploads
export const useUploads = (): readonly Upload[] => useSyncExternalStore(subscribe, listUploads)

/** Returns the IDs of the new uploads, in order. */
export function startUploads(files: readonly File[], target: UploadTarget = {}): string[] {
  const added = files.map((source): Upload => ({ id: uuidV4(), source, target, state: 'queued', sent: 0 }))
  setUploads([...uploads, ...added])
  continueQueue()
  return added.map(({ id }) => id)
}

export function retryUpload(id: string) {
  change(id, { state: 'queued', sent: 0, error: undefined })
  continueQueue()
}

/** Stops an upload, or forgets one that has ended. */
export function dropUpload(id: string) {
  running.get(id)?.abort()
  setUploads(uploads.filter((upload) => upload.id !== id))
}

onForget(() => {
  for (const controller of running.values()) controller.abort()
  setUploads([])
})

function continueQueue() {
  for (const upload of uploads) {
    if (running.size >= parallel) return
    if (upload.state === 'queued' && !running.has(upload.id)) void run(upload)
  }
}

async function run(upload: Upload) {
  const { id, target } = upload
  const controller = new AbortController()
  running.set(id, controller)
  change(id, { state: 'sending' })
  try {
    const file = await send(upload, controller.signal)
    change(id, { file, sent: 1 })
    // A collection shows its waiting files itself.
    if (target.collection) dropUpload(id)
    else change(id, { state: 'sent' })
    target.onSent?.(file)
  } catch (failure) {
    const error = failure instanceof Error ? failure.message : 'The upload failed. Try again.'
    if (!controller.signal.aborted) change(id, { state: 'failed', error })
  } finally {
    running.delete(id)
    continueQueue()
  }
}

function send({ id, source, target }: Upload, signal: AbortSignal): Promise<FileRecord> {
  const form = new FormData()
  form.append('file', source, source.name)
  const query = {
    process: target.isProcessed === false ? 'false' : undefined,
    collection_id: target.collection?.id,
  }
  return api.upload(addressOf(endpoints.uploadFile, { query }), form, FileRecord, {
    signal,
    onProgress: (sent) => change(id, { sent }),
  })
}
