/** Search results with the matching snippets. */
import type { ChatListItem } from '@chancery/contract/chats/chats.ts'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { cx } from '#ui/class-names.ts'
import { Badge } from '#ui/values/badge.tsx'
import { Time } from '#ui/values/time.tsx'
import { nameOf } from '../chat-name.ts'
import { ListFailure, ListNote, RowsSkeleton } from '../rows/list-states.tsx'
import { useSidebar } from '../state/sidebar-context.ts'
import { Highlighted } from './highlighted.tsx'
import type { ChatSearch } from './use-search.ts'

export const optionId = (listId: string, chatId: string) => `${listId}-${chatId}`

export function SearchResults({ id, search }: { id: string; search: ChatSearch }) {
  const { query, items, chosen, isBehind, text } = search
  return (
    <>
      {query.isError && <ListFailure error={query.error} onRetry={query.refetch} />}
      {query.isPending && <RowsSkeleton rows={4} />}
      <div id={id} role="listbox" aria-label="Search results" aria-busy={isBehind}>
        {items.map((chat) => (
          <Found key={chat.id} id={optionId(id, chat.id)} chat={chat} isChosen={chat === chosen} />
        ))}
      </div>
      {query.isSuccess && items.length === 0 && !isBehind && (
        <ListNote>
          No chats match “{text.trim()}”. Search covers titles and messages. Use tag:name, pinned:true or archived:true
          to filter.
        </ListNote>
      )}
      {query.data?.searched_to !== undefined && !isBehind && (
        <ListNote>
          Common words: the search stopped at chats from <Time at={query.data.searched_to} />. Add a word to find older
          ones.
        </ListNote>
      )}
      <p aria-live="polite" className="sr-only">
        {query.isSuccess && !isBehind && `${items.length} results`}
      </p>
    </>
  )
}

function Found({ id, chat, isChosen }: { id: string; chat: ChatListItem; isChosen: boolean }) {
  const { activeId, hrefOf, onGo } = useSidebar()
  const elementRef = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    if (isChosen) elementRef.current?.scrollIntoView({ block: 'nearest' })
  }, [isChosen])
  return (
    <Link
      ref={elementRef}
      id={id}
      role="option"
      aria-selected={isChosen}
      tabIndex={-1}
      to={hrefOf(chat.id)}
      onClick={onGo}
      className={cx(
        'relative block rounded-control px-2.5 py-2 transition-colors duration-150 hover:bg-sunken aria-selected:bg-sunken',
        'before:absolute before:inset-y-2.5 before:left-0 before:w-0.5 before:rounded-full aria-selected:before:bg-seal',
      )}
    >
      <span className="flex items-baseline gap-2">
        <span className={cx('min-w-0 flex-1 truncate', chat.id === activeId && 'font-medium')}>{nameOf(chat)}</span>
        {chat.archived && <Badge>Archived</Badge>}
        <span className="shrink-0 text-faint text-xs">
          <Time at={chat.updated_at} />
        </span>
      </span>
      {chat.snippet !== undefined && chat.snippet !== '' && (
        <span className="mt-0.5 line-clamp-2 text-soft text-sm">
          <Highlighted snippet={chat.snippet} />
        </span>
      )}
    </Link>
  )
}
