/** The triggers of a workflow. The open one is in the URL. */
import { getRouteApi, Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useCallback } from 'react'
import { useWorkflow } from '#features/workflows/api.ts'
import type { EventLink } from '#features/workflows/triggers/deliveries.tsx'
import { kindIcons } from '#features/workflows/triggers/trigger-cells.tsx'
import { TriggerDialog } from '#features/workflows/triggers/trigger-dialog.tsx'
import { TriggersPanel } from '#features/workflows/triggers/triggers-panel.tsx'
import { Button } from '#ui/button.tsx'
import { textLink } from '#ui/href-link.tsx'
import { Menu, MenuItem } from '#ui/menu.tsx'
import { PageTitle } from '#ui/page-title.tsx'

const route = getRouteApi('/shell/workflows/$workflowId/triggers')

const kinds = [
  { kind: 'event', label: 'On an event' },
  { kind: 'cron', label: 'On a schedule' },
  { kind: 'webhook', label: 'On a webhook' },
] as const

const EventInExplorer: EventLink = ({ eventId, source, children }) => (
  <Link to="/events" search={{ source, event: eventId }} className={textLink}>
    {children}
  </Link>
)

export function TriggersPage() {
  const { workflowId } = route.useParams()
  const { open } = route.useSearch()
  const navigate = route.useNavigate()
  // The frame around this page has loaded it already, and shows the loading and error states.
  const { data: workflow } = useWorkflow(workflowId)
  const show = useCallback((id: string) => void navigate({ search: { open: id } }), [navigate])
  if (!workflow) return null
  const add = (
    <span className="relative">
      <Menu trigger={<Button icon={Plus}>New trigger</Button>}>
        {kinds.map(({ kind, label }) => (
          <MenuItem key={kind} icon={kindIcons[kind]} onSelect={() => show(`new-${kind}`)}>
            {label}
          </MenuItem>
        ))}
      </Menu>
    </span>
  )
  return (
    <>
      <PageTitle>{`${workflow.name}: triggers`}</PageTitle>
      <TriggersPanel
        workflow={workflow}
        action={add}
        onOpen={show}
        reviewLink={
          <Link to="/workflows/$workflowId/review" params={{ workflowId }} className={textLink}>
            Go to review
          </Link>
        }
      />
      <TriggerDialog
        workflow={workflow}
        open={open}
        onOpen={show}
        onClose={() => void navigate({ search: {}, replace: true })}
        eventLink={EventInExplorer}
      />
    </>
  )
}
