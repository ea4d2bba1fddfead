/** The contents of the sidebar and the sheet: new chat, search, and the list. */
import { Link, useRouter } from '@tanstack/react-router'
import { SquarePen } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import { listedKeys, useShortcuts } from '#lib/keyboard/keyboard.ts'
import { buttonLook } from '#ui/button/button.tsx'
import { cx } from '#ui/class-names.ts'
import { FolderSection } from '../folders/folder-section.tsx'
import { rowKeyLabels } from '../rows/chat-row.tsx'
import { SearchBox } from '../search/search-box.tsx'
import { optionId, SearchResults } from '../search/search-results.tsx'
import { useSearch } from '../search/use-search.ts'
import { useSidebar } from '../state/sidebar-context.ts'
import { FilteredView, type View } from './filtered-view.tsx'
import { ListMenu } from './list-menu.tsx'
import { PinnedSection } from './pinned-section.tsx'
import { RecentSection } from './recent-section.tsx'

const steps: Record<string, number> = { ArrowUp: -1, ArrowDown: 1 }

/** Arrow keys move through the rows of all sections. */
function walkRows(event: KeyboardEvent<HTMLElement>) {
  const step = steps[event.key]
  if (step === undefined || !(event.target instanceof HTMLElement) || !event.target.matches('[data-row]')) return
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-row]')]
  event.preventDefault()
  rows[rows.indexOf(event.target) + step]?.focus()
}

const rowKeys = listedKeys('In the list of chats', {
  [Object.keys(steps).join(' ')]: 'Previous or next chat',
  ...rowKeyLabels,
})

/** `corner` closes the sheet or collapses the sidebar. */
export function SidebarBody({ corner }: { corner: ReactNode }) {
  const { hrefOf, newHref, onGo } = useSidebar()
  const router = useRouter()
  const search = useSearch()
  const [view, setView] = useState<View>({ kind: 'all' })
  const listId = useId()
  useShortcuts(rowKeys)
  const open = () => {
    if (!search.chosen) return
    onGo()
    router.history.push(hrefOf(search.chosen.id))
  }
  return (
    <>
      <div className="flex h-14 shrink-0 items-center gap-1 pr-2 pl-4">
        <h2 className="flex-1 font-medium font-serif text-lg tracking-tight">Chats</h2>
        <ListMenu onView={setView} />
        {corner}
      </div>
      <div className="flex flex-col gap-2 px-3 pb-3">
        <Link to={newHref} onClick={onGo} className={cx(buttonLook('plain'), 'w-full')}>
          <SquarePen aria-hidden className="size-4" /> New chat
        </Link>
        <SearchBox
          text={search.text}
          onChange={search.setText}
          listId={listId}
          isOpen={search.isOn}
          chosenId={search.isOn && search.chosen ? optionId(listId, search.chosen.id) : undefined}
          onStep={search.step}
          onEnter={open}
        />
      </div>
      <nav
        aria-label="Chats"
        data-scroller
        onKeyDown={walkRows}
        className="flex min-h-0 flex-1 flex-col gap-3 overflow-y-auto overscroll-contain px-1.5 [scrollbar-width:thin]"
      >
        {search.isOn ? (
          <SearchResults id={listId} search={search} />
        ) : view.kind === 'all' ? (
          <>
            <PinnedSection />
            <FolderSection />
            <RecentSection />
          </>
        ) : (
          <FilteredView view={view} onLeave={() => setView({ kind: 'all' })} />
        )}
      </nav>
    </>
  )
}
