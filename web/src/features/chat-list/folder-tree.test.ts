import type { Folder } from '@chancery/contract/chats/chats.ts'
import { describe, expect, it } from 'vitest'
import { flatten, folderTree } from './folder-tree.ts'

const folder = (id: string, parent_id: string | null = null): Folder => ({
  id,
  name: `Folder ${id}`,
  parent_id,
  chat_count: 0,
  created_at: 0,
  updated_at: 0,
})

const outline = (folders: Folder[]) =>
  flatten(folderTree(folders)).map(({ folder: { id }, depth }) => `${'-'.repeat(depth)}${id}`)

describe('folders as a tree', () => {
  it('sorts by name, with numbers by value, and nests', () => {
    expect(outline([folder('10'), folder('2'), folder('b', '2'), folder('a', '2')])).toEqual(['2', '-a', '-b', '10'])
  })

  it('puts a folder with an unknown parent at the top level', () => {
    expect(outline([folder('a', 'gone')])).toEqual(['a'])
  })
})
