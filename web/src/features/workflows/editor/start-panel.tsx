/** The triggers beside the canvas, opened from the Start node. */
import type { Workflow } from '@chancery/contract/workflows/workflows.ts'
import { Play, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { IconButton } from '#ui/button/button.tsx'
import type { EventLink } from '../triggers/deliveries.tsx'
import { NewTriggerMenu } from '../triggers/new-trigger-menu.tsx'
import { TriggerDialog } from '../triggers/trigger-dialog.tsx'
import { TriggersTable } from '../triggers/triggers-panel.tsx'
import { sidePanelLook } from './config/config-panel.tsx'

export interface StartLinks {
  reviewLink: ReactNode
  eventLink: EventLink
}

interface StartPanelProps extends StartLinks {
  workflow: Workflow
  onClose: () => void
}

export function StartPanel({ workflow, reviewLink, eventLink, onClose }: StartPanelProps) {
  const [open, setOpen] = useState<string>()
  return (
    <aside aria-label="Triggers" className={sidePanelLook}>
      <header className="flex items-start gap-2 px-4 pt-3 pb-2">
        <span className="mt-0.5 flex size-8 shrink-0 items-center justify-center rounded-full bg-sunken text-soft">
          <Play aria-hidden className="size-4" />
        </span>
        <div className="min-w-0 flex-1">
          <h2 className="font-medium">Start</h2>
          <p className="text-faint text-xs">What starts this workflow. Changes to triggers apply immediately.</p>
        </div>
        <div className="-mr-2">
          <IconButton label="Close triggers" icon={X} onClick={onClose} />
        </div>
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto pb-6">
        <div className="px-5 pt-1 pb-4">
          <NewTriggerMenu onOpen={setOpen} />
        </div>
        <TriggersTable workflow={workflow} reviewLink={reviewLink} onOpen={setOpen} />
      </div>
      <TriggerDialog
        workflow={workflow}
        open={open}
        onOpen={setOpen}
        onClose={() => setOpen(undefined)}
        eventLink={eventLink}
      />
    </aside>
  )
}
