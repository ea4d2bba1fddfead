/** The first steps of a new organization. */
import { Checklist } from '#ui/page/checklist.tsx'
import { useFirstSteps } from './api.ts'

export function FirstSteps() {
  const done = useFirstSteps()
  if (!done) return null
  return (
    <Checklist
      steps={[
        { label: 'Invite your colleagues', to: '/organization/members', isDone: done.hasColleagues },
        {
          label: 'Connect a model',
          hint: 'Ask your platform admin, or add your own credentials.',
          to: '/workflows/catalogs',
          isDone: done.hasModel,
        },
        { label: 'Create your first workflow', to: '/workflows', isDone: done.hasWorkflow },
      ]}
    />
  )
}
