/** The limits of an organization or the platform, with the people and groups they apply to. */
import { PrincipalSearch } from '#features/principals/principal-search.tsx'
import { LimitDialog } from '#features/usage/limit-dialog.tsx'
import { LimitsPanel } from '#features/usage/limits-panel.tsx'

interface UsageLimitsProps {
  scope: 'organization' | 'platform'
  open: string | undefined
  onOpen: (id: string | undefined) => void
}

const labels = { user: 'Find a person', group: 'Find a group', organization: 'Find an organization' } as const

export const UsageLimits = ({ scope, open, onOpen }: UsageLimitsProps) => (
  <>
    <LimitsPanel scope={scope} onOpen={onOpen} />
    <LimitDialog
      scope={scope}
      open={open}
      subjectField={({ type, onTake }) => (
        <PrincipalSearch circle={scope} label={labels[type]} types={[type]} taken={[]} onTake={onTake} />
      )}
      onClose={() => onOpen(undefined)}
    />
  </>
)
