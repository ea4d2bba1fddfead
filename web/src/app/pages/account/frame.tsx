/** The frame of account settings: title and tabs. */
import { Outlet } from '@tanstack/react-router'
import { useViewer, type Viewer } from '#data/viewer.ts'
import { PageHeader, TabLinks } from '#ui/page/layout.tsx'
import { Page } from '../../frames/page.tsx'

const tabs = [
  { label: 'Profile', to: '/account', isExact: true },
  { label: 'Sign-in and security', to: '/account/security' },
  { label: 'Sessions', to: '/account/sessions' },
] as const

const personTabs = [
  ...tabs,
  { label: 'API keys', to: '/account/api-keys' },
  { label: 'Prompts', to: '/account/prompts' },
  { label: 'Memory', to: '/account/memory' },
  { label: 'Speech', to: '/account/speech' },
  { label: 'My models', to: '/account/models' },
  { label: 'Plugins', to: '/account/plugins' },
  { label: 'Usage', to: '/account/usage' },
] as const

const documentsTab = { label: 'Documents', to: '/account/documents' } as const

/** In an organization, its admins have these settings. */
const tabsOf = (viewer: Viewer) => {
  if (viewer.kind !== 'person') return tabs
  return viewer.organizationId === null ? [...personTabs, documentsTab] : personTabs
}

export function AccountFrame() {
  return (
    <Page>
      <PageHeader title="Account" />
      <TabLinks label="Account settings" tabs={tabsOf(useViewer())} />
      <Outlet />
    </Page>
  )
}
