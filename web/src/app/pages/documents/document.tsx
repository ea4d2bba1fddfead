/** One document: the editor while it is a draft, its status afterwards. */
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { DocumentMenu } from '#features/signing/document/document-menu.tsx'
import { DocumentView, DownloadLink } from '#features/signing/document/document-view.tsx'
import { useDocument } from '#features/signing/documents/api.ts'
import { StateBadge } from '#features/signing/documents/labels.tsx'
import { buttonLook } from '#ui/button/button.tsx'
import { ErrorPanel, Loading, Skeleton } from '#ui/feedback/states.tsx'
import { PageHeader } from '#ui/page/layout.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'
import { Page } from '../../frames/page.tsx'

const SigningEditor = lazy(async () => ({
  default: (await import('#features/signing/editor/editor.tsx')).SigningEditor,
}))

const route = getRouteApi('/shell/documents/$documentId')

const Back = () => (
  <Link to="/documents" className={`${buttonLook('quiet', 'small')} -ml-2`}>
    <ArrowLeft aria-hidden className="size-3.5" />
    Documents
  </Link>
)

export function DocumentPage() {
  const { documentId } = route.useParams()
  const navigate = useNavigate()
  const query = useDocument(documentId)
  if (query.isPending) return <LoadingPage />
  if (query.isError)
    return (
      <Page>
        <div>
          <Back />
        </div>
        <ErrorPanel error={query.error} onRetry={query.refetch} />
      </Page>
    )
  const document = query.data
  const menu = (
    <DocumentMenu
      document={document}
      onDeleted={() => void navigate({ to: '/documents' })}
      onTemplate={() => void navigate({ to: '/documents/templates' })}
    />
  )
  if (document.state === 'DRAFT')
    return (
      <Suspense fallback={<LoadingPage />}>
        <PageTitle>{document.title}</PageTitle>
        <SigningEditor key={document.id} document={document} menu={menu} back={<Back />} />
      </Suspense>
    )
  return (
    <Page isWide>
      <PageTitle>{document.title}</PageTitle>
      <div>
        <Back />
      </div>
      <PageHeader
        title={document.title}
        hint={
          <span className="flex flex-wrap items-center gap-3">
            <StateBadge state={document.state} />
            {document.progress.signed} of {document.progress.total} signed
          </span>
        }
        action={
          <div className="flex items-center gap-2">
            <DownloadLink document={document} />
            {menu}
          </div>
        }
      />
      <DocumentView document={document} />
    </Page>
  )
}

const LoadingPage = () => (
  <Page isWide>
    <Loading label="Loading document">
      <div className="flex flex-col gap-6">
        <Skeleton className="h-9 w-72" />
        <Skeleton className="h-64" />
      </div>
    </Loading>
  </Page>
)
