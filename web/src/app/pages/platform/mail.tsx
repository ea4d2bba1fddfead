/** The email outbox: the list, and the open email. */
import { getRouteApi } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { MailPane } from '#features/console/mail-pane.tsx'
import { OutboxList, OutboxOrder } from '#features/console/outbox-list.tsx'
import { Button } from '#ui/button/button.tsx'
import { cx } from '#ui/class-names.ts'
import { Empty } from '#ui/feedback/states.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'

const route = getRouteApi('/shell/platform/mail')

interface MailSearch {
  page?: number
  mail?: string
  sort?: string
}

const withoutMail = ({ mail: _, ...rest }: MailSearch): MailSearch => rest

export function MailPage() {
  const { page, mail, sort } = route.useSearch()
  const navigate = route.useNavigate()
  // A phone shows one at a time: the list, or the email with a back button.
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[22rem_1fr]">
      <PageTitle>Emails</PageTitle>
      <Panel
        title="Emails"
        hint="Without a mail server, emails are kept here for you to read."
        action={
          <OutboxOrder
            sort={sort}
            onSort={(next) => void navigate({ search: next === undefined ? {} : { sort: next }, replace: true })}
          />
        }
        className={mail === undefined ? undefined : 'max-lg:hidden'}
        isFlush
      >
        <OutboxList
          query={{ page, sort }}
          openId={mail}
          onOpen={(id) => void navigate({ search: (current) => ({ ...current, mail: id }) })}
          onPage={(next) => void navigate({ search: (current) => ({ ...withoutMail(current), page: next }) })}
        />
      </Panel>
      <section
        aria-label="Email"
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
          onClick={() => void navigate({ search: withoutMail })}
        >
          All emails
        </Button>
        {mail === undefined ? (
          <Empty title="No email selected" hint="Select one from the list." />
        ) : (
          <MailPane id={mail} />
        )}
      </section>
    </div>
  )
}
