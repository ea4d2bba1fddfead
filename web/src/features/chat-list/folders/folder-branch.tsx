/** One folder: its row, and its folders and chats when open. Chats and folders can be dropped on it. */
import type { Folder } from '@chancery/contract/chats/chats.ts'
import { useState } from 'react'
import { readStored, store } from '#lib/browser/browser-storage.ts'
import type { FolderNode } from '../folder-tree.ts'
import { ChatItems, useChatItems } from '../rows/chat-items.tsx'
import { ChatRow, indentOf } from '../rows/chat-row.tsx'
import { type Load, useDrop } from '../rows/drag.ts'
import { ListNote } from '../rows/list-states.tsx'
import { RenameField } from '../rows/rename-field.tsx'
import { useSidebar } from '../state/sidebar-context.ts'
import { FolderRow } from './folder-row.tsx'
import type { FolderActions } from './use-folder-actions.ts'

interface FolderBranchProps {
  node: FolderNode
  actions: FolderActions
  onDelete: (folder: Folder) => void
}

/** A folder can't be moved into itself or its subfolders. */
const fits = (node: FolderNode, load: Load) =>
  load.kind === 'chat'
    ? load.chat.folder_id !== node.folder.id
    : load.folder.parent_id !== node.folder.id && !node.path.includes(load.folder.id)

export function FolderBranch({ node, actions, onDelete }: FolderBranchProps) {
  const { folder, depth } = node
  const [isOpen, setOpen] = useOpen(folder.id)
  const [naming, setNaming] = useState<'itself' | 'child'>()
  const { actions: chatActions } = useSidebar()
  const { isOver, handlers } = useDrop(
    (load) => fits(node, load),
    (load) => {
      setOpen(true)
      if (load.kind === 'chat') chatActions.move(load.chat, folder.id)
      else actions.reparent(load.folder, folder.id)
    },
  )
  const named = (name: string) => {
    setNaming(undefined)
    if (name === '') return
    if (naming === 'child') actions.create(name, folder.id)
    else if (name !== folder.name) actions.rename(folder, name)
  }
  const addChild = () => {
    setOpen(true)
    setNaming('child')
  }
  return (
    <li {...handlers}>
      {naming === 'itself' ? (
        <NameField depth={depth} value={folder.name} onDone={named} />
      ) : (
        <FolderRow
          node={node}
          isOpen={isOpen}
          isOver={isOver}
          onToggle={() => setOpen(!isOpen)}
          onRename={() => setNaming('itself')}
          onAddChild={addChild}
          onLift={() => actions.reparent(folder, null)}
          onDelete={() => onDelete(folder)}
        />
      )}
      {naming === 'child' && <NameField depth={depth + 1} value="" onDone={named} />}
      {isOpen && <Contents node={node} actions={actions} onDelete={onDelete} />}
    </li>
  )
}

interface NameFieldProps {
  depth: number
  value: string
  onDone: (name: string) => void
}

const NameField = ({ depth, value, onDone }: NameFieldProps) => (
  <div style={indentOf(depth)}>
    <RenameField label="Folder name" placeholder="Folder name" value={value} maxLength={120} onDone={onDone} />
  </div>
)

function Contents({ node: { folder, depth, children }, actions, onDelete }: FolderBranchProps) {
  const list = useChatItems({ folder_id: folder.id })
  const hasFolders = children.length > 0
  const empty = !hasFolders && (
    <div style={indentOf(depth + 1)}>
      <ListNote>This folder is empty. Drag a chat here, or move one from its menu.</ListNote>
    </div>
  )
  return (
    <>
      {hasFolders && (
        <ul aria-label={`Folders in ${folder.name}`}>
          {children.map((child) => (
            <FolderBranch key={child.folder.id} node={child} actions={actions} onDelete={onDelete} />
          ))}
        </ul>
      )}
      <ChatItems list={list} empty={empty}>
        <ul aria-label={folder.name}>
          {list.items.map((chat) => (
            <ChatRow key={chat.id} chat={chat} depth={depth + 1} />
          ))}
        </ul>
      </ChatItems>
    </>
  )
}

const openFolders = 'chat-folders'
const readOpen = () => (readStored(openFolders) ?? '').split(' ').filter(Boolean)

/** Open folders are remembered in this browser. */
function useOpen(id: string) {
  const [isOpen, setState] = useState(() => readOpen().includes(id))
  const setOpen = (next: boolean) => {
    const others = readOpen().filter((other) => other !== id)
    store(openFolders, (next ? [...others, id] : others).join(' '))
    setState(next)
  }
  return [isOpen, setOpen] as const
}
