/** One process from its first event to its last step. */
import { getRouteApi, Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { ProcessTimeline } from '#features/events/timeline/process-timeline.tsx'
import { buttonLook } from '#ui/button/button.tsx'
import { cx } from '#ui/class-names.ts'
import { PageHeader } from '#ui/page/layout.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'
import { Page } from '../../frames/page.tsx'
import { eventLinks } from '../../links.ts'

const route = getRouteApi('/shell/events/timeline/$correlationId')

export function TimelinePage() {
  const { correlationId } = route.useParams()
  return (
    <Page isWide>
      <PageTitle>Process</PageTitle>
      <Link
        to="/events"
        search={{ correlation: correlationId }}
        className={cx(buttonLook('quiet', 'small'), '-ml-2.5 -mb-3 self-start')}
      >
        <ArrowLeft aria-hidden className="size-3.5" /> View events
      </Link>
      <PageHeader
        title="Process"
        hint="Events, decisions and runs with the same correlation ID. Indented items were caused by the item above."
      />
      <ProcessTimeline key={correlationId} correlationId={correlationId} links={eventLinks} />
    </Page>
  )
}
