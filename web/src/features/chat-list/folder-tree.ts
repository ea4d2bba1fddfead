/** The tree of folders. */
import type { Folder } from '@chancery/contract/chats/chats.ts'

export interface FolderNode {
  folder: Folder
  depth: number
  /** The IDs of its parent folders and its own. */
  path: readonly string[]
  children: FolderNode[]
}

const byName = (a: Folder, b: Folder) => a.name.localeCompare(b.name, 'en', { numeric: true })

/** A folder whose parent isn't in the list is shown at the top level, so it never gets lost. */
export function folderTree(folders: readonly Folder[]): FolderNode[] {
  const known = new Set(folders.map(({ id }) => id))
  const parentOf = ({ parent_id }: Folder) => (parent_id !== null && known.has(parent_id) ? parent_id : null)
  const children = Map.groupBy([...folders].sort(byName), parentOf)
  const grow = (parent: string | null, above: readonly string[]): FolderNode[] =>
    (children.get(parent) ?? []).map((folder) => {
      const path = [...above, folder.id]
      return { folder, depth: above.length, path, children: grow(folder.id, path) }
    })
  return grow(null, [])
}

/** The tree in display order, for menus. */
export const flatten = (nodes: readonly FolderNode[]): FolderNode[] =>
  nodes.flatMap((node) => [node, ...flatten(node.children)])
