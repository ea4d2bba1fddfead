/** Folders as the tree they form. */
import type { Folder } from '@chancery/contract/chats.ts'

export interface FolderNode {
  folder: Folder
  depth: number
  /** Ids of the folders it lies in, and its own. */
  path: readonly string[]
  children: FolderNode[]
}

const byName = (a: Folder, b: Folder) => a.name.localeCompare(b.name, 'en', { numeric: true })

/** A folder whose parent is not in the list stands at the top, so that none is ever lost from sight. */
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

/** The tree from top to bottom, as a menu lists it. */
export const flatten = (nodes: readonly FolderNode[]): FolderNode[] =>
  nodes.flatMap((node) => [node, ...flatten(node.children)])
