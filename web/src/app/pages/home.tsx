/** The start page of a person: the areas of the app and a summary of their account. */
import { Link } from '@tanstack/react-router'
import { useSessions } from '#features/account/api.ts'
import { useApiKeys } from '#features/api-keys/api.ts'
import { formatDay, greetingAt } from '#lib/times.ts'
import { usePerson } from '#lib/viewer.ts'
import { Badge } from '#ui/badge.tsx'
import { Count } from '#ui/count.tsx'
import { Kbd } from '#ui/kbd.tsx'
import { Facts, Panel } from '#ui/layout.tsx'
import { PageTitle } from '#ui/page-title.tsx'
import { Page } from '../frames/page.tsx'
import { areas } from '../shell/areas.ts'

export function HomePage() {
  const me = usePerson()
  const now = new Date()
  return (
    <Page>
      <PageTitle>Home</PageTitle>
      <header className="border-b pb-6">
        <p className="text-faint text-sm">{formatDay(now)}</p>
        <h1 className="mt-1 font-medium font-serif text-xl tracking-tight">
          {greetingAt(now)}, {me.name}
        </h1>
      </header>
      <div className="grid items-start gap-6 lg:grid-cols-[1fr_20rem]">
        <Rooms />
        <div className="flex flex-col gap-6">
          <Standing />
          <ShortcutsPanel />
        </div>
      </div>
    </Page>
  )
}

function Rooms() {
  return (
    <Panel title="Areas" isFlush>
      <ul className="divide-y divide-line">
        {areas.map(({ to, label, icon: Icon, purpose, coming }) => (
          <li key={to}>
            <Link to={to} className="flex items-start gap-4 px-5 py-4 transition-colors duration-150 hover:bg-sunken">
              <Icon aria-hidden className="mt-1 size-5 shrink-0 text-soft" strokeWidth={1.5} />
              <span className="min-w-0 flex-1">
                <span className="block font-serif text-md">{label}</span>
                <span className="block text-soft text-sm">{purpose}</span>
              </span>
              {coming && <Badge>Coming soon</Badge>}
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function Standing() {
  const me = usePerson()
  const sessions = useSessions()
  const keys = useApiKeys()
  return (
    <Panel title="Account">
      <Facts
        items={[
          {
            term: 'Login code',
            to: '/account/security',
            value: <Badge tone={me.loginOtp ? 'good' : 'plain'}>{me.loginOtp ? 'On' : 'Off'}</Badge>,
          },
          { term: 'Sessions', to: '/account/sessions', value: <Count query={sessions} of={(list) => list.length} /> },
          { term: 'API keys', to: '/account/api-keys', value: <Count query={keys} of={(list) => list.total} /> },
        ]}
      />
    </Panel>
  )
}

const keys = [
  { term: 'Search or jump to…', value: <Kbd keys="mod+k" /> },
  { term: 'Go to Chat', value: <Kbd keys="g c" /> },
  { term: 'Keyboard shortcuts', value: <Kbd keys="?" /> },
]

/** Only where there is a keyboard, so not on a phone. */
const ShortcutsPanel = () => (
  <Panel title="Keyboard shortcuts" className="max-sm:hidden">
    <Facts items={keys} />
  </Panel>
)
