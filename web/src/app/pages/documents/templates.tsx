/** The list of templates. */
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { TemplateHead } from '#features/signing/templates/api.ts'
import { BulkDialog } from '#features/signing/templates/bulk-dialog.tsx'
import { TemplateTable } from '#features/signing/templates/template-table.tsx'
import { UseDialog } from '#features/signing/templates/use-dialog.tsx'
import { buttonLook } from '#ui/button/button.tsx'
import { Empty } from '#ui/feedback/states.tsx'
import { SearchInput } from '#ui/form/search-input.tsx'
import { PageHeader, Panel } from '#ui/page/layout.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'
import { Page } from '../../frames/page.tsx'
import { useListSearch } from '../../use-list-search.ts'
import { AreaTabs } from './area-tabs.tsx'

const route = getRouteApi('/shell/documents/templates')

export function TemplatesPage() {
  const { search } = route.useSearch()
  const navigate = route.useNavigate()
  const { onSearch } = useListSearch(navigate)
  const [open, setOpen] = useState<{ kind: 'use' | 'bulk'; template: TemplateHead }>()
  const close = () => setOpen(undefined)
  return (
    <Page isWide>
      <PageTitle>Templates</PageTitle>
      <PageHeader title="Templates" hint="Documents that you send again and again, with roles instead of people." />
      <AreaTabs />
      <Panel
        title="All templates"
        isFlush
        action={<SearchInput label="Search templates" value={search ?? ''} onSearch={onSearch} />}
      >
        <TemplateTable
          search={search}
          onUse={(template) => setOpen({ kind: 'use', template })}
          onBulk={(template) => setOpen({ kind: 'bulk', template })}
          empty={
            search === undefined ? (
              <Empty
                title="No templates yet"
                hint="Open a document and choose “Save as template” in its menu."
                action={
                  <Link to="/documents" className={buttonLook('primary')}>
                    Go to documents
                  </Link>
                }
              />
            ) : (
              <Empty title="No matching templates" hint="Search covers titles." />
            )
          }
        />
      </Panel>
      {open?.kind === 'use' && (
        <UseDialog
          templateId={open.template.id}
          onMade={({ id }) => {
            // This page is shown until the next one is loaded, and remains if its user comes back to it before that.
            close()
            void navigate({ to: '/documents/$documentId', params: { documentId: id }, search: {} })
          }}
          onClose={close}
        />
      )}
      {open?.kind === 'bulk' && <BulkDialog template={open.template} onClose={close} />}
    </Page>
  )
}
