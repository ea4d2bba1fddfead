/** Settings of the whole workflow: run deadline and default retries. */
import type { Graph } from '@chancery/contract/workflows/graph.ts'
import { Button } from '#ui/button/button.tsx'
import { Switch } from '#ui/form/choices.tsx'
import { Dialog, DialogActions } from '#ui/overlay/dialog.tsx'
import { type Retry, RetryFields } from '../config/retry-fields.tsx'
import { yearSec } from '../rows/form-help.tsx'
import { DurationField } from '../rows/value-rows.tsx'

type Settings = NonNullable<Graph['settings']>

interface SettingsDialogProps {
  settings: Settings
  onChange: (settings: Settings, field: string) => void
  onClose: () => void
}

export function SettingsDialog({ settings, onChange, onClose }: SettingsDialogProps) {
  return (
    <Dialog title="Workflow settings" hint="Saved, reviewed and versioned with the graph." isOpen onClose={onClose}>
      <div className="flex flex-col gap-5">
        <DurationField
          label="Run deadline"
          name="deadline_sec"
          path="settings.deadline_sec"
          isOptional
          help="From start to end. The default is 24 hours. Runs that take longer time out."
          placeholder="24 hours"
          value={settings.deadline_sec}
          maxSec={yearSec}
          onValue={(deadline_sec) => onChange({ ...settings, deadline_sec }, 'deadline_sec')}
        />
        <Switch
          label="Count waiting time"
          help="Off: waiting for a time, an event, an approval or another workflow doesn't count towards the deadline."
          isOn={settings.deadline_counts_waiting ?? false}
          onChange={(deadline_counts_waiting) =>
            onChange({ ...settings, deadline_counts_waiting }, 'deadline_counts_waiting')
          }
        />
        <RetryFields
          legend="Default retries for nodes"
          path="settings.default_retry"
          value={settings.default_retry}
          onValue={(default_retry) =>
            onChange(
              { ...settings, default_retry: default_retry as Retry & Settings['default_retry'] },
              'default_retry',
            )
          }
        />
      </div>
      <DialogActions>
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  )
}
