/**
 * Makes a collection equal to a folder: uploads what is missing, waits until it is processed, then changes the collection
 * in one call. A file that can't be read is reported, and the collection keeps the version that it holds.
 */
import type { SyncReply } from '@chancery/contract/knowledge.ts'
import { counted } from '#lib/counted.ts'
import type { Progress, Result } from '#lib/tab-work.ts'
import { applySync, deleteFile, type FolderFile, readFile, uploadSource } from './api.ts'

export interface FolderSync {
  collectionId: string
  files: readonly FolderFile[]
  /** What the server answered to the preview. */
  preview: SyncReply
}

interface Options {
  report: (progress: Progress) => void
  signal: AbortSignal
}

const parallel = 3
const pollMs = 1000
/** A short loss of the connection doesn't end a long sync. */
const maxFailedPolls = 20

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
  const reply = await applySync(collectionId, entries)
  if (reply.missing.length > 0) throw new Error('The collection was changed meanwhile. Sync the folder again.')
  return { word: summaryOf(reply), problems: [...problems].map(([path, reason]) => `${path}: ${reason}`) }
}

export const summaryOf = ({ added, changed, removed }: Pick<SyncReply, 'added' | 'changed' | 'removed'>): string =>
  `${counted(added, 'file')} added, ${changed} changed, ${removed} removed`

/** By path. Where it is stopped, nothing was changed yet, so what was uploaded is deleted again. */
async function addAll(wanted: readonly FolderFile[], { report, signal }: Options) {
  const ids = new Map<string, string>()
  const problems = new Map<string, string>()
  const waiting = [...wanted]
  const addNext = async (): Promise<void> => {
    for (let file = waiting.shift(); file; file = waiting.shift()) {
      const { path, source } = file
      await addOne(source, signal).then(
        (id) => ids.set(path, id),
        (problem: unknown) => problems.set(path, problem instanceof Error ? problem.message : 'Couldn’t be added.'),
      )
      signal.throwIfAborted()
      const done = ids.size + problems.size
      report({ word: `Adding files: ${done} of ${wanted.length}`, part: done / wanted.length })
    }
  }
  try {
    await Promise.all(Array.from({ length: parallel }, addNext))
    return { ids, problems }
  } catch (failure) {
    await Promise.allSettled([...ids.values()].map(deleteFile))
    throw failure
  }
}

/** Returns its ID once it is processed. One that can't be processed, or that nobody waits for any more, is deleted again. */
async function addOne(source: File, signal: AbortSignal): Promise<string> {
  const { id } = await uploadSource(source, signal)
  try {
    await processed(id, signal)
    return id
  } catch (failure) {
    await deleteFile(id).catch(() => undefined)
    throw failure
  }
}

async function processed(id: string, signal: AbortSignal): Promise<void> {
  for (let failures = 0; ; ) {
    signal.throwIfAborted()
    try {
      const { data } = await readFile(id)
      if (data.status === 'completed') return
      if (data.status === 'failed') throw new Unreadable(data.error ?? 'It couldn’t be read.')
      failures = 0
    } catch (failure) {
      failures += 1
      if (failure instanceof Unreadable || failures > maxFailedPolls) throw failure
    }
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}

class Unreadable extends Error {}
