/** The list of knowledge collections. */
import { getRouteApi } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useCallback, useMemo } from 'react'
import { WordsOnlyNote } from '#features/knowledge/collection/details-panel.tsx'
import { CollectionDialog } from '#features/knowledge/collections/collection-dialog.tsx'
import { CollectionTable } from '#features/knowledge/collections/collection-table.tsx'
import { useShortcuts } from '#lib/keyboard/keyboard.ts'
import { Button } from '#ui/button/button.tsx'
import { Empty } from '#ui/feedback/states.tsx'
import { SearchInput } from '#ui/form/search-input.tsx'
import { PageHeader, Panel } from '#ui/page/layout.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'
import { Page } from '../../frames/page.tsx'
import { useListSearch } from '../../use-list-search.ts'
import { AreaTabs } from './area-tabs.tsx'
import { useGrantsField } from './grants-field.tsx'

const route = getRouteApi('/shell/knowledge/')

export function KnowledgePage() {
  const { search, page, sort, new: isNew } = route.useSearch()
  const navigate = route.useNavigate()
  const { onSearch, onPage, onSort } = useListSearch(navigate)
  const open = useCallback(() => void navigate({ search: (now) => ({ ...now, new: true as const }) }), [navigate])
  useShortcuts(useMemo(() => [{ keys: 'n', label: 'New collection', run: open }], [open]))
  const newButton = (
    <Button look="primary" icon={Plus} onClick={open}>
      New collection
    </Button>
  )
  return (
    <Page isWide>
      <PageTitle>Knowledge</PageTitle>
      <PageHeader
        title="Knowledge"
        hint="Collections of files that chats and agents can search and cite."
        action={newButton}
      />
      <AreaTabs />
      <WordsOnlyNote />
      <Panel
        title="All collections"
        isFlush
        action={<SearchInput label="Search collections" value={search ?? ''} onSearch={onSearch} />}
      >
        <CollectionTable
          query={{ search, page, sort }}
          onPage={onPage}
          onSort={onSort}
          empty={
            search === undefined ? (
              <Empty
                title="No collections yet"
                hint="Create one for a topic, add files to it, and ask about them in any chat with #."
                action={newButton}
              />
            ) : (
              <Empty title="No matching collections" hint="Search covers names." />
            )
          }
        />
      </Panel>
      <CollectionDialog
        open={isNew ? 'new' : undefined}
        grantsField={useGrantsField()}
        onSaved={(id) => void navigate({ to: '/knowledge/$collectionId', params: { collectionId: id }, search: {} })}
        onClose={() => void navigate({ search: ({ new: _, ...rest }) => rest, replace: true })}
      />
    </Page>
  )
}
