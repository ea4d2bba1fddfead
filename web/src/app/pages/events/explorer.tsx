/** The event log. The filters, the open event and the pause are in the URL. It fills the window. */

import { withQuery } from '@chancery/contract/reading/address.ts'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { EventFilter } from '#features/events/api.ts'
import { EventExplorer } from '#features/events/event-explorer.tsx'
import { textLink } from '#ui/button/href-link.tsx'
import { PageHeader } from '#ui/page/layout.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'
import { eventLinks } from '../../links.ts'
import { AreaTabs } from './area-tabs.tsx'

const route = getRouteApi('/shell/events/')

const names = ['type', 'source', 'correlation', 'payload', 'from', 'before'] as const

/** Leaves out unset fields, so the URL names only what is set. */
const filled = (filter: EventFilter): { [Name in (typeof names)[number]]?: string } =>
  Object.fromEntries(names.flatMap((name) => (filter[name] === undefined ? [] : [[name, filter[name]]])))

export function EventsPage() {
  const { event, paused, ...filter } = route.useSearch()
  const { type, source, correlation, payload, from, before } = filter
  const navigate = route.useNavigate()
  const onFilter = useCallback(
    (next: EventFilter) =>
      void navigate({
        search: ({ event: open, paused: isPaused }) => ({
          ...(open !== undefined && { event: open }),
          ...(isPaused && { paused: isPaused }),
          ...filled(next),
        }),
        replace: true,
      }),
    [navigate],
  )
  const onOpen = useCallback(
    (id: string | undefined) =>
      void navigate({
        search: ({ event: _, ...rest }) => (id === undefined ? rest : { ...rest, event: id }),
        replace: true,
      }),
    [navigate],
  )
  const onPause = useCallback(
    (isPaused: boolean) =>
      void navigate({
        search: ({ paused: _, ...rest }) => (isPaused ? { ...rest, paused: true as const } : rest),
        replace: true,
      }),
    [navigate],
  )
  const hrefOf = useCallback(
    (id: string) =>
      withQuery('/events', {
        type,
        source,
        correlation,
        payload,
        from,
        before,
        ...(paused && { paused: 'true' }),
        event: id,
      }),
    [type, source, correlation, payload, from, before, paused],
  )
  return (
    <div className="flex h-[calc(100dvh-3.75rem-env(safe-area-inset-bottom))] flex-col max-sm:-mb-20 sm:h-dvh">
      <PageTitle>Events</PageTitle>
      <header className="shrink-0 border-b bg-surface px-4 pt-5 sm:px-6">
        <PageHeader title="Events" />
        <div className="-mb-px mt-2 [&_ul]:border-b-0">
          <AreaTabs />
        </div>
      </header>
      <EventExplorer
        filter={{ type, source, correlation, payload, from, before }}
        openId={event}
        isPaused={paused === true}
        links={eventLinks}
        hrefOf={hrefOf}
        keysLink={
          <Link to="/account/api-keys" className={textLink}>
            create one
          </Link>
        }
        onFilter={onFilter}
        onOpen={onOpen}
        onPause={onPause}
      />
    </div>
  )
}
