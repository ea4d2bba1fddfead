/** The frame of the platform console. */
import { Link, Outlet } from '@tanstack/react-router'
import { useViewer } from '#data/viewer.ts'
import { useHeldCount } from '#features/console/api.ts'
import { buttonLook } from '#ui/button/button.tsx'
import { PageHeader, TabLinks } from '#ui/page/layout.tsx'
import { Notice } from '../../frames/notice.tsx'
import { Page } from '../../frames/page.tsx'

const tabs = [
  { label: 'Overview', to: '/platform', isExact: true },
  { label: 'Status', to: '/platform/status' },
  { label: 'Users', to: '/platform/users' },
  { label: 'Organizations', to: '/platform/organizations' },
  { label: 'Admins', to: '/platform/admins' },
  { label: 'Connections', to: '/platform/connections' },
  { label: 'Models', to: '/platform/models' },
  { label: 'Plugins', to: '/platform/plugins' },
  { label: 'Tool servers', to: '/platform/tool-servers' },
  { label: 'Usage', to: '/platform/usage' },
  { label: 'Ratings', to: '/platform/ratings' },
  { label: 'Settings', to: '/platform/settings' },
  { label: 'Audit log', to: '/platform/audit' },
  { label: 'Emails', to: '/platform/mail' },
] as const

export function PlatformFrame() {
  const { kind } = useViewer()
  if (kind !== 'admin') return <NotAnAdmin />
  return (
    <Page isWide>
      <PageHeader title="Platform" />
      <ConsoleTabs />
      <Outlet />
    </Page>
  )
}

function ConsoleTabs() {
  const heldBack = { label: 'Held back', to: '/platform/held-back', count: useHeldCount() } as const
  return <TabLinks label="Platform console" tabs={[...tabs, heldBack]} />
}

const NotAnAdmin = () => (
  <Notice
    title="Platform admins only"
    hint="Only platform admins can open this page. They sign in with a separate account."
  >
    <Link to="/platform/sign-in" className={buttonLook('primary')}>
      Platform admin sign-in
    </Link>
    <Link to="/" className={buttonLook('plain')}>
      Go to Home
    </Link>
  </Notice>
)
