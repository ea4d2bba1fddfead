/** Dragging chats and folders. The menu offers the same actions without dragging. */
import type { ChatListItem, Folder } from '@chancery/contract/chats/chats.ts'
import { type DragEvent, useState } from 'react'

export type Load = { kind: 'chat'; chat: ChatListItem } | { kind: 'folder'; folder: Folder }

/** The row being dragged. Drags from outside contain nothing we accept, so only this can be dropped. */
let load: Load | undefined

export function startDrag(event: DragEvent, what: Load) {
  event.stopPropagation()
  event.dataTransfer.effectAllowed = 'move'
  event.dataTransfer.setData('text/plain', what.kind === 'chat' ? what.chat.title : what.folder.name)
  load = what
}

/** Makes an element accept what `accepts` allows, and reports whether something is dragged over it. */
export function useDrop(accepts: (load: Load) => boolean, onDrop: (load: Load) => void) {
  const [isOver, setOver] = useState(false)
  const isWelcome = () => load !== undefined && accepts(load)
  return {
    isOver,
    handlers: {
      onDragOver: (event: DragEvent) => {
        if (!isWelcome()) return
        event.preventDefault()
        event.stopPropagation()
        setOver(true)
      },
      onDragLeave: () => setOver(false),
      onDrop: (event: DragEvent) => {
        setOver(false)
        if (load === undefined || !accepts(load)) return
        event.preventDefault()
        event.stopPropagation()
        onDrop(load)
        load = undefined
      },
    },
  }
}
