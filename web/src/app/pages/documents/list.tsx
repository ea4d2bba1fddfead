/** The list of documents. */
import { DocumentState } from '@chancery/contract/signing/signing.ts'
import { getRouteApi, Link } from '@tanstack/react-router'
import { PenLine, ShieldCheck } from 'lucide-react'
import { useCallback } from 'react'
import { uploadDocument } from '#features/signing/documents/api.ts'
import { DocumentTable } from '#features/signing/documents/document-table.tsx'
import { documentLabels } from '#features/signing/documents/labels.tsx'
import { QuotaNote } from '#features/signing/documents/quota-note.tsx'
import {
  DocumentDropZone,
  UploadButton,
  UploadDialog,
  UploadProgress,
  useUpload,
} from '#features/signing/documents/upload.tsx'
import { buttonLook } from '#ui/button/button.tsx'
import { subtleLink } from '#ui/button/href-link.tsx'
import { Empty } from '#ui/feedback/states.tsx'
import { BareSelect } from '#ui/form/inputs.tsx'
import { SearchInput } from '#ui/form/search-input.tsx'
import { PageHeader, Panel } from '#ui/page/layout.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'
import { Page } from '../../frames/page.tsx'
import { useListSearch } from '../../use-list-search.ts'
import { AreaTabs } from './area-tabs.tsx'

const route = getRouteApi('/shell/documents/')

export function DocumentsPage() {
  const { search, state: wanted, folder, sort } = route.useSearch()
  const navigate = route.useNavigate()
  const { onSort } = useListSearch(navigate)
  const state = DocumentState.safeParse(wanted).data
  const upload = useUpload(
    uploadDocument,
    ({ id }) => void navigate({ to: '/documents/$documentId', params: { documentId: id } }),
  )
  const onSearch = useCallback(
    (text: string) =>
      void navigate({
        search: ({ search: _, ...rest }) => (text === '' ? rest : { ...rest, search: text }),
        replace: true,
      }),
    [navigate],
  )
  const onState = (value: string) =>
    void navigate({
      search: ({ state: _, ...rest }) => (value === '' ? rest : { ...rest, state: value }),
      replace: true,
    })
  return (
    <Page isWide>
      <PageTitle>Documents</PageTitle>
      <PageHeader
        title="Documents"
        hint="Send PDFs for signature and get them back sealed."
        action={
          <div className="flex flex-wrap gap-2">
            <Link to="/verify" className={buttonLook('plain')}>
              <ShieldCheck aria-hidden className="size-4" />
              Verify a PDF
            </Link>
            <Link to="/documents/write" className={buttonLook('plain')}>
              <PenLine aria-hidden className="size-4" />
              Write
            </Link>
            <UploadButton upload={upload} />
          </div>
        }
      />
      <AreaTabs />
      <QuotaNote />
      <UploadProgress upload={upload} />
      <UploadDialog upload={upload} />
      <DocumentDropZone upload={upload}>
        <Panel
          title={folder ?? 'All documents'}
          hint={
            folder !== undefined && (
              <Link to="/documents" search={({ folder: _, ...rest }) => rest} className={subtleLink}>
                Show all folders
              </Link>
            )
          }
          isFlush
          action={
            <div className="flex flex-wrap gap-3 max-sm:w-full">
              <BareSelect
                aria-label="Status"
                value={state ?? ''}
                onChange={({ target }) => onState(target.value)}
                className="h-9!"
              >
                <option value="">All statuses</option>
                {DocumentState.options.map((value) => (
                  <option key={value} value={value}>
                    {documentLabels[value].label}
                  </option>
                ))}
              </BareSelect>
              <SearchInput label="Search documents" value={search ?? ''} onSearch={onSearch} />
            </div>
          }
        >
          <DocumentTable
            filter={{ search, state, folder, sort }}
            order={{ sort, onSort }}
            empty={
              search !== undefined || state !== undefined || folder !== undefined ? (
                <Empty title="No matching documents" hint="Search covers titles and recipients." />
              ) : (
                <Empty
                  title="No documents yet"
                  hint="Upload a PDF, a picture or a Word file, or drop one here, to send it for signature."
                  action={<UploadButton upload={upload} />}
                />
              )
            }
          />
        </Panel>
      </DocumentDropZone>
    </Page>
  )
}
