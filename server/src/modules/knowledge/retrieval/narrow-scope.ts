/** Narrows a scope to the files that fit a filter. Access was checked when the scope was resolved. */
import type { FileFilter } from '@chancery/contract/knowledge.ts'
import type { KnowledgeContext } from '../context.ts'
import { listMembersOfUnscoped, listUrlsUnscoped } from '../queries/collections.ts'
import type { Scope } from './scope.ts'

export const narrowScope = async (
  { db, files }: Pick<KnowledgeContext, 'db' | 'files'>,
  scope: Scope,
  filter: FileFilter | undefined,
): Promise<Scope> => {
  if (filter === undefined) return scope
  const { file_ids: ids, name, content_type: type, source } = filter
  const held = new Set([...scope.fileIds, ...(await listMembersOfUnscoped(db, scope.collectionIds))])
  const wanted = ids === undefined ? [...held] : ids.filter((id) => held.has(id))
  const [rows, urls] = await Promise.all([
    files.listUnscoped(db, wanted),
    source === undefined ? new Map<string, string>() : listUrlsUnscoped(db, wanted),
  ])
  const fitting = rows.filter(
    (file) =>
      (name === undefined || file.name.toLowerCase().includes(name.toLowerCase())) &&
      (type === undefined || file.contentType.startsWith(type)) &&
      (source === undefined || urls.get(file.id)?.startsWith(source)),
  )
  return { collectionIds: [], fileIds: fitting.map(({ id }) => id) }
}
