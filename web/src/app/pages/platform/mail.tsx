/** The mail outbox: the list, and the mail that is open. */
import { getRouteApi } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { MailPane } from '#features/console/mail-pane.tsx'
import { OutboxList } from '#features/console/outbox-list.tsx'
import { Button } from '#ui/button.tsx'
import { cx } from '#ui/class-names.ts'
import { Panel } from '#ui/layout.tsx'
import { PageTitle } from '#ui/page-title.tsx'
import { Empty } from '#ui/states.tsx'

const route = getRouteApi('/shell/platform/mail')

export function MailPage() {
  const { page, mail } = route.useSearch()
  const navigate = route.useNavigate()
  // A phone shows one at a time: the list, or the mail with the way back.
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[22rem_1fr]">
      <PageTitle>Mail</PageTitle>
      <Panel
        title="Outbox"
        hint="Without a mail server, mail is kept here to be read."
        className={mail === undefined ? undefined : 'max-lg:hidden'}
        isFlush
      >
        <OutboxList
          query={{ page }}
          openId={mail}
          onOpen={(id) => void navigate({ search: (current) => ({ ...current, mail: id }) })}
          onPage={(next) => void navigate({ search: { page: next } })}
        />
      </Panel>
      <section
        aria-label="Reading"
        className={cx(
          'min-w-0 rounded-panel border bg-surface p-5 lg:sticky lg:top-6',
          mail === undefined && 'max-lg:hidden',
        )}
      >
        <Button
          look="quiet"
          size="small"
          icon={ArrowLeft}
          className="mb-3 -ml-2.5 lg:hidden"
          onClick={() => void navigate({ search: page === undefined ? {} : { page } })}
        >
          All mail
        </Button>
        {mail === undefined ? <Empty title="No mail open" hint="Choose one from the list." /> : <MailPane id={mail} />}
      </section>
    </div>
  )
}
