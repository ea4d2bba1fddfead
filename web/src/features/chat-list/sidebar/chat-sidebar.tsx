/**
 * The list of chats beside the chat: `ChatSidebar` is the column, `ChatListButton` brings it back once collapsed, and
 * on a phone opens it as a sheet. Both take the same props. Mount the sidebar in a layout route, so it keeps its scroll
 * position between chats.
 */
import { PanelLeftClose, PanelLeftOpen, X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { type ReactNode, useMemo, useState } from 'react'
import { IconButton } from '#ui/button/button.tsx'
import { cx } from '#ui/class-names.ts'
import { ShareDialog } from '../sharing/share-dialog.tsx'
import { type ChatDialog, SidebarProvider } from '../state/sidebar-context.ts'
import { useChatActions } from '../state/use-chat-actions.ts'
import { useLiveList } from '../state/use-live-list.ts'
import { TransferDialog } from '../transfer/transfer-dialog.tsx'
import { SidebarBody } from './sidebar-body.tsx'
import { collapseList, useIsCollapsed } from './sidebar-collapsed.ts'
import { TagsDialog } from './tags-dialog.tsx'

export interface ChatSidebarProps {
  activeId?: string | undefined
  hrefOf: (chatId: string) => string
  newHref: string
}

export function ChatSidebar(props: ChatSidebarProps) {
  const isCollapsed = useIsCollapsed()
  useLiveList()
  if (isCollapsed) return null
  const fold = <IconButton label="Collapse list" icon={PanelLeftClose} onClick={() => collapseList(true)} />
  return (
    <aside
      aria-label="Chats"
      className="sticky top-0 z-10 hidden h-dvh w-70 shrink-0 flex-col border-r bg-ground md:flex"
    >
      <Frame {...props} onGo={stay}>
        <SidebarBody corner={fold} />
      </Frame>
    </aside>
  )
}

const stay = () => {}

/** Opens the list where it isn't visible. */
export function ChatListButton(props: ChatSidebarProps) {
  const isCollapsed = useIsCollapsed()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      {isCollapsed && (
        <IconButton
          label="Show chats"
          icon={PanelLeftOpen}
          className="max-md:hidden"
          onClick={() => collapseList(false)}
        />
      )}
      <IconButton label="Chats" icon={PanelLeftOpen} className="md:hidden" onClick={() => setOpen(true)} />
      <Dialog.Root open={isOpen} onOpenChange={setOpen}>
        <Dialog.Portal>
          <Dialog.Overlay className="fixed inset-0 z-40 animate-fade bg-[rgb(20_22_28/0.45)]" />
          <Dialog.Content
            aria-describedby={undefined}
            className={cx(
              'fixed inset-y-0 left-0 z-50 flex w-[min(20rem,88vw)] animate-fade flex-col bg-ground shadow-float',
              'pb-[env(safe-area-inset-bottom)]',
            )}
          >
            <Dialog.Title className="sr-only">Chats</Dialog.Title>
            <Frame {...props} onGo={() => setOpen(false)}>
              <SidebarBody corner={<IconButton label="Close" icon={X} onClick={() => setOpen(false)} />} />
            </Frame>
          </Dialog.Content>
        </Dialog.Portal>
      </Dialog.Root>
    </>
  )
}

interface FrameProps extends ChatSidebarProps {
  onGo: () => void
  children: ReactNode
}

/** The context of rows and titles, and the dialogs they open. */
export function Frame({ activeId, hrefOf, newHref, onGo, children }: FrameProps) {
  const [dialog, show] = useState<ChatDialog>()
  const actions = useChatActions({ activeId, hrefOf, newHref })
  const value = useMemo(
    () => ({ activeId, hrefOf, newHref, onGo, show, actions }),
    [activeId, hrefOf, newHref, onGo, actions],
  )
  const close = () => show(undefined)
  return (
    <SidebarProvider value={value}>
      {children}
      <ShareDialog chat={dialog?.kind === 'share' ? dialog.chat : undefined} onClose={close} />
      <TagsDialog chat={dialog?.kind === 'tags' ? dialog.chat : undefined} onClose={close} />
      <TransferDialog isOpen={dialog?.kind === 'transfer'} onClose={close} />
    </SidebarProvider>
  )
}
