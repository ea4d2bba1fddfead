/** The steps that make a collection equal to a folder. Pure. */
import type { SyncBody } from '@chancery/contract/files/knowledge.ts'
import type { z } from 'zod'
import { AppError } from '#kernel/errors.ts'

export type Wanted = z.output<typeof SyncBody>['files']

export interface Held {
  fileId: string
  hash: string
}

export interface Plan {
  unchanged: string[]
  missing: string[]
  put: { path: string; hash: string; fileId: string; replaces: string | undefined }[]
  gone: string[]
  /** Files that the collection no longer has at all: a moved one is gone from its path only. */
  dropped: string[]
  /** By path, whether or not the contents are there already. */
  named: { added: string[]; changed: { path: string; hash: string }[]; removed: string[] }
}

export const planSync = (wanted: Wanted, held: ReadonlyMap<string, Held>): Plan => {
  const named: Plan['named'] = { added: [], changed: [], removed: [] }
  const plan: Plan = { unchanged: [], missing: [], put: [], gone: [], dropped: [], named }
  const paths = new Set<string>()
  const replaced: string[] = []
  for (const { path, hash, file_id: fileId } of wanted) {
    if (paths.has(path)) throw new AppError('duplicate_path', { detail: `The path ${path} is named twice.` })
    paths.add(path)
    const before = held.get(path)
    if (before?.hash === hash) {
      plan.unchanged.push(path)
      continue
    }
    if (before) {
      named.changed.push({ path, hash: before.hash })
      replaced.push(before.fileId)
    } else named.added.push(path)
    if (fileId === undefined) plan.missing.push(path)
    else plan.put.push({ path, hash, fileId, replaces: before?.fileId })
  }
  for (const [path, { fileId }] of held) {
    if (paths.has(path)) continue
    plan.gone.push(fileId)
    named.removed.push(path)
  }
  requireOnePathEach(plan, held)
  const kept = new Set(plan.put.map(({ fileId }) => fileId))
  plan.dropped = [...plan.gone, ...replaced].filter((fileId) => !kept.has(fileId))
  return plan
}

/** A collection holds a file once, so a file that is named under two paths would lose one of them without a word. */
const requireOnePathEach = ({ put, unchanged }: Plan, held: ReadonlyMap<string, Held>): void => {
  const paths = new Map(unchanged.map((path) => [held.get(path)?.fileId, path]))
  for (const { fileId, path } of put) {
    const other = paths.get(fileId)
    if (other !== undefined)
      throw new AppError('duplicate_path', {
        detail: `The same file is named under ${other} and ${path}. Upload it once for each path.`,
      })
    paths.set(fileId, path)
  }
}
