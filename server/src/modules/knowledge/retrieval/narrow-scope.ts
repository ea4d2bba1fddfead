/** Narrows a scope to the files that fit a filter. Access was checked when the scope was resolved. */
import type { FileFilter } from '@chancery/contract/files/knowledge.ts'
import { unixSeconds } from '#kernel/clock.ts'
import type { FileRow } from '#modules/files/index.ts'
import type { KnowledgeContext } from '../context.ts'
import { listMembersOfUnscoped, listUrlsUnscoped } from '../queries/collections.ts'
import type { Scope } from '../scope.ts'

export const narrowScope = async (
  { db, files }: Pick<KnowledgeContext, 'db' | 'files'>,
  scope: Scope,
  filter: FileFilter | undefined,
): Promise<Scope> => {
  if (filter === undefined) return scope
  const { file_ids: ids, source } = filter
  const held = new Set([...scope.fileIds, ...(await listMembersOfUnscoped(db, scope.collectionIds))])
  const wanted = ids === undefined ? [...held] : ids.filter((id) => held.has(id))
  const [rows, urls] = await Promise.all([
    files.listUnscoped(db, wanted),
    source === undefined ? new Map<string, string>() : listUrlsUnscoped(db, wanted),
  ])
  const fitting = rows.filter(
    (file) => fits(file, filter) && (source === undefined || urls.get(file.id)?.startsWith(source)),
  )
  return { collectionIds: [], fileIds: fitting.map(({ id }) => id) }
}

const fits = (file: FileRow, filter: FileFilter): boolean => {
  const { name, content_type: type, created_after: after, created_before: before, metadata = {} } = filter
  const createdAt = unixSeconds(file.createdAt)
  return (
    (name === undefined || file.name.toLowerCase().includes(name.toLowerCase())) &&
    (type === undefined || file.contentType.startsWith(type)) &&
    (after === undefined || createdAt >= after) &&
    (before === undefined || createdAt <= before) &&
    Object.entries(metadata).every(([key, value]) => file.metadata[key] === value)
  )
}
