/** The viewer's own files, and how much of the plan's storage is used. */
import { getRouteApi } from '@tanstack/react-router'
import { useCallback } from 'react'
import { usePerson } from '#data/viewer.ts'
import { FilesTable } from '#features/knowledge/files/files-table.tsx'
import { PreviewDialog } from '#features/knowledge/files/preview-dialog.tsx'
import { useOrganization } from '#features/organization/api.ts'
import { formatBytes } from '#lib/text/bytes.ts'
import { Meter } from '#ui/feedback/meter.tsx'
import { Empty } from '#ui/feedback/states.tsx'
import { BareSelect } from '#ui/form/inputs.tsx'
import { SearchInput } from '#ui/form/search-input.tsx'
import { PageHeader, Panel } from '#ui/page/layout.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'
import { Page } from '../../frames/page.tsx'
import { useListSearch } from '../../use-list-search.ts'
import { AreaTabs } from './area-tabs.tsx'

const route = getRouteApi('/shell/knowledge/files')

const statuses = [
  { value: '', label: 'All statuses' },
  { value: 'completed', label: 'Ready' },
  { value: 'pending', label: 'Processing' },
  { value: 'failed', label: 'Failed' },
]

export function FilesPage() {
  const { search, page, sort, status, file } = route.useSearch()
  const navigate = route.useNavigate()
  const { organizationId } = usePerson()
  const { onPage, onSort } = useListSearch(navigate)
  const onSearch = useCallback(
    (text: string) =>
      void navigate({
        search: ({ search: _, page: __, ...rest }) => (text === '' ? rest : { ...rest, search: text }),
        replace: true,
      }),
    [navigate],
  )
  const onStatus = (value: string) =>
    void navigate({
      search: ({ status: _, page: __, ...rest }) => (value === '' ? rest : { ...rest, status: value }),
      replace: true,
    })
  const known = statuses.find(({ value }) => value === status)?.value ?? ''
  return (
    <Page isWide>
      <PageTitle>My files</PageTitle>
      <PageHeader title="My files" hint="Everything you uploaded, in chats and in collections." />
      <AreaTabs />
      {organizationId !== null && <Storage />}
      <Panel
        title="All files"
        isFlush
        action={
          <div className="flex flex-wrap gap-3 max-sm:w-full">
            <BareSelect
              aria-label="Status"
              value={known}
              onChange={({ target }) => onStatus(target.value)}
              className="h-9!"
            >
              {statuses.map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </BareSelect>
            <SearchInput label="Search files" value={search ?? ''} onSearch={onSearch} />
          </div>
        }
      >
        <FilesTable
          query={{ search, page, sort, ...(known !== '' && { status: known }) }}
          onPage={onPage}
          onSort={onSort}
          onOpen={(id) => void navigate({ search: (now) => ({ ...now, file: id }) })}
          empty={
            search !== undefined || known !== '' ? (
              <Empty title="No matching files" hint="Search covers file names." />
            ) : (
              <Empty title="No files yet" hint="Attach a file to a chat message, or add files to a collection." />
            )
          }
        />
      </Panel>
      <PreviewDialog
        fileId={file}
        onClose={() => void navigate({ search: ({ file: _, ...rest }) => rest, replace: true })}
      />
    </Page>
  )
}

/** Shared by the whole organization, so it may be full although a person's own files are few. */
function Storage() {
  const { data } = useOrganization()
  if (data === undefined) return null
  const { usage, plan } = data
  const limit = plan.limits.storageBytes
  return (
    <div className="rounded-panel border bg-surface px-5 py-4">
      <Meter
        label="Storage of your organization"
        used={usage.storageBytes}
        limit={limit}
        words={`${formatBytes(usage.storageBytes)} of ${formatBytes(limit)}`}
      />
    </div>
  )
}
