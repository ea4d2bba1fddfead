/** Writing a new document. */
import { useNavigate } from '@tanstack/react-router'
import { WriteView } from '#features/signing/written/write-view.tsx'
import { PageHeader } from '#ui/page/layout.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'
import { BackLink } from '../../back-link.tsx'
import { Page } from '../../frames/page.tsx'

export function WritePage() {
  const navigate = useNavigate()
  return (
    <Page isWide>
      <PageTitle>Write a document</PageTitle>
      <BackLink to="/documents">Documents</BackLink>
      <PageHeader title="Write a document" hint="Text becomes pages, and its tags become fields." />
      <WriteView onMade={({ id }) => void navigate({ to: '/documents/$documentId', params: { documentId: id } })} />
    </Page>
  )
}
