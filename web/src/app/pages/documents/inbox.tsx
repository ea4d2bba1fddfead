/** Documents that wait for the viewer's signature. */
import { useNavigate } from '@tanstack/react-router'
import { InboxTable } from '#features/signing/inbox/inbox-table.tsx'
import { PageHeader, Panel } from '#ui/page/layout.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'
import { Page } from '../../frames/page.tsx'
import { AreaTabs } from './area-tabs.tsx'

export function InboxPage() {
  const navigate = useNavigate()
  return (
    <Page isWide>
      <PageTitle>To sign</PageTitle>
      <PageHeader title="To sign" hint="Documents that other people sent to your email address." />
      <AreaTabs />
      <Panel title="Waiting for your signature" isFlush>
        <InboxTable onOpened={(path) => void navigate({ to: path })} />
      </Panel>
    </Page>
  )
}
