/**
 * Makes a collection equal to a folder: uploads what is missing, waits until it is processed, then changes the collection
 * in one call. A file that can't be read is reported, and the collection keeps the version that it holds.
 */
import type { SyncReply } from '@chancery/contract/files/knowledge.ts'
import { ApiError, isAway, isSignedOut } from '#lib/problems/api-error.ts'
import type { Progress, Result } from '#lib/tab/tab-work.ts'
import { counted } from '#lib/text/counted.ts'
import { applySync, deleteFile, type FolderFile, readFile, uploadSource } from './api.ts'

export interface FolderSync {
  collectionId: string
  files: readonly FolderFile[]
  preview: SyncReply
}

interface Options {
  report: (progress: Progress) => void
  signal: AbortSignal
}

const parallel = 3
const pauseMs = 1000
const maxRetries = 20

export async function runSync({ collectionId, files, preview }: FolderSync, options: Options): Promise<Result> {
  const missing = new Set(preview.missing)
  const wanted = files.filter(({ path }) => missing.has(path))
  const { ids, problems } = await addAll(wanted, options)
  const held = new Map(preview.plan?.changed.map(({ path, hash }) => [path, hash]))
  const entries = files.flatMap(({ path, hash }) => {
    const fileId = ids.get(path)
    if (fileId !== undefined) return [{ path, hash, file_id: fileId }]
    if (!problems.has(path)) return [{ path, hash }]
    const kept = held.get(path)
    return kept === undefined ? [] : [{ path, hash: kept }]
  })
  const reply = await applySync(collectionId, entries, preview).catch(async (failure: unknown) => {
    // If the reply was lost, the collection may hold the uploads already.
    if (isRefusal(failure)) await deleteAll(ids)
    throw failure
  })
  if (reply.missing.length > 0) {
    await deleteAll(ids)
    throw new Error('The collection was changed meanwhile. Sync the folder again.')
  }
  return { word: summaryOf(reply), problems: [...problems].map(([path, reason]) => `${path}: ${reason}`) }
}

export const summaryOf = ({ added, changed, removed }: Pick<SyncReply, 'added' | 'changed' | 'removed'>): string =>
  `${counted(added, 'file')} added, ${changed} changed, ${removed} removed`

/** By path. Where it ends early, nothing was changed yet, so what was uploaded is deleted again. */
async function addAll(wanted: readonly FolderFile[], { report, signal }: Options) {
  const ids = new Map<string, string>()
  const problems = new Map<string, string>()
  const waiting = [...wanted]
  const addNext = async (): Promise<void> => {
    for (let file = waiting.shift(); file; file = waiting.shift()) {
      const { path, source } = file
      await addOne(source, signal).then(
        (id) => ids.set(path, id),
        (problem: unknown) => {
          // The other files would fail in the same way.
          if (isAway(problem) || isSignedOut(problem)) {
            waiting.length = 0
            throw problem
          }
          problems.set(path, problem instanceof Error ? problem.message : 'Couldn’t be added.')
        },
      )
      signal.throwIfAborted()
      const done = ids.size + problems.size
      report({ word: `Adding files: ${done} of ${wanted.length}`, part: done / wanted.length })
    }
  }
  const ends = await Promise.allSettled(Array.from({ length: parallel }, addNext))
  const failed = ends.find((end) => end.status === 'rejected')
  if (!failed) return { ids, problems }
  await deleteAll(ids)
  throw failed.reason
}

const deleteAll = (ids: ReadonlyMap<string, string>) => Promise.allSettled([...ids.values()].map(deleteFile))

/** Returns its ID once it is processed. One that can't be processed, or that nobody waits for any more, is deleted again. */
async function addOne(source: File, signal: AbortSignal): Promise<string> {
  const { id } = await withRetries(() => uploadSource(source, signal), signal)
  try {
    await processed(id, signal)
    return id
  } catch (failure) {
    await deleteFile(id).catch(() => undefined)
    throw failure
  }
}

async function processed(id: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    const { data } = await withRetries(() => readFile(id), signal)
    if (data.status === 'completed') return
    if (data.status === 'failed') throw new Error(data.error ?? 'It couldn’t be read.')
    await pause()
  }
}

/** A short loss of the connection doesn't end a long sync. */
async function withRetries<T>(call: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let retries = 0; ; retries += 1) {
    signal.throwIfAborted()
    try {
      return await call()
    } catch (failure) {
      if (!isTemporary(failure) || retries === maxRetries) throw failure
    }
    await pause()
  }
}

const pause = () => new Promise((resolve) => setTimeout(resolve, pauseMs))

const isRefusal = (failure: unknown): boolean =>
  failure instanceof ApiError && failure.status >= 400 && failure.status < 500

const isTemporary = (failure: unknown): boolean =>
  failure instanceof ApiError && (!isRefusal(failure) || failure.status === 429)
