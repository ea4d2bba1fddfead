/** The start page of a person: what waits for them, what they did last, and a summary of their account. */
import { can } from '@chancery/contract/abilities.ts'
import { withQuery } from '@chancery/contract/reading/address.ts'
import { Link } from '@tanstack/react-router'
import { SquarePen } from 'lucide-react'
import { usePerson } from '#data/viewer.ts'
import { useSessions } from '#features/account/api.ts'
import { useApiKeys } from '#features/api-keys/api.ts'
import { FirstSteps } from '#features/home/first-steps.tsx'
import { Happened } from '#features/home/happened.tsx'
import { RecentChats, RecentDocuments } from '#features/home/recent.tsx'
import { Worklist } from '#features/home/worklist.tsx'
import { formatDay, greetingAt } from '#lib/time/times.ts'
import { buttonLook } from '#ui/button/button.tsx'
import { Kbd } from '#ui/button/kbd.tsx'
import { Facts, Panel } from '#ui/page/layout.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'
import { Badge } from '#ui/values/badge.tsx'
import { Count } from '#ui/values/count.tsx'
import { Page } from '../frames/page.tsx'
import { runLinks } from '../links.ts'

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
        <div className="flex min-w-0 flex-col gap-6">
          <Worklist
            inboxHref="/documents/inbox"
            approvalHref={(stepId) => withQuery('/workflows/approvals', { open: stepId })}
            runHref={runLinks.run}
          />
          <RecentChats action={<NewChatLink />} hrefOf={(chatId) => `/chat/${chatId}`} />
          <RecentDocuments action={<DocumentsLink />} hrefOf={(documentId) => `/documents/${documentId}`} />
        </div>
        <div className="flex flex-col gap-6">
          {can(me, 'manage-organization') && <FirstSteps />}
          <Happened />
          <Standing />
          <ShortcutsPanel />
        </div>
      </div>
    </Page>
  )
}

const NewChatLink = () => (
  <Link to="/chat" className={buttonLook('plain', 'small')}>
    <SquarePen aria-hidden className="size-4" /> New chat
  </Link>
)

const DocumentsLink = () => (
  <Link to="/documents" className={buttonLook('plain', 'small')}>
    All documents
  </Link>
)

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
