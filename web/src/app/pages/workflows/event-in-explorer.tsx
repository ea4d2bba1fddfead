/** A link to an event in the explorer. */
import { Link } from '@tanstack/react-router'
import type { EventLink } from '#features/workflows/triggers/deliveries.tsx'
import { textLink } from '#ui/button/href-link.tsx'

export const EventInExplorer: EventLink = ({ eventId, source, children }) => (
  <Link to="/events" search={{ source, event: eventId }} className={textLink}>
    {children}
  </Link>
)
