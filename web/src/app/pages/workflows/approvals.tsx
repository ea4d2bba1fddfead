/** Approvals waiting for the viewer. The open one is in the URL, so emails can link to it. */

import { withQuery } from '@chancery/contract/reading/address.ts'
import { getRouteApi } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { ApprovalState } from '#features/workflows/answers/api.ts'
import { ApprovalsInbox } from '#features/workflows/approvals/approvals-inbox.tsx'
import { PageHeader } from '#ui/page/layout.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'
import { Page } from '../../frames/page.tsx'
import { runLinks, workflowHref } from '../../links.ts'
import { AreaTabs } from './area-tabs.tsx'

const route = getRouteApi('/shell/workflows/approvals')

export function ApprovalsPage() {
  const { state: wanted, open, page } = route.useSearch()
  const navigate = route.useNavigate()
  const state: ApprovalState = wanted === 'answered' ? 'answered' : 'open'
  const onOpen = useCallback(
    (stepId: string) => void navigate({ search: (now) => ({ ...now, open: stepId }), replace: true }),
    [navigate],
  )
  return (
    <Page isWide>
      <PageTitle>Approvals</PageTitle>
      <PageHeader title="Approvals" hint="Runs that wait for a person’s decision." />
      <AreaTabs />
      <ApprovalsInbox
        state={state}
        page={page ?? 1}
        openId={open}
        onState={(next) => void navigate({ search: next === 'open' ? {} : { state: next }, replace: true })}
        onPage={(next) => void navigate({ search: { ...(wanted !== undefined && { state: wanted }), page: next } })}
        onOpen={onOpen}
        hrefOf={(stepId) => withQuery('/workflows/approvals', { state: wanted, page, open: stepId })}
        runHref={runLinks.run}
        workflowHref={workflowHref}
      />
    </Page>
  )
}
