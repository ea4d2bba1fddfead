/** What a new company does first. Gone once everything is done. */
import { Circle, CircleCheck } from 'lucide-react'
import { HrefLink, textLink } from '#ui/href-link.tsx'
import { Panel } from '#ui/layout.tsx'
import { useFirstSteps } from './api.ts'

export function FirstSteps() {
  const done = useFirstSteps()
  if (!done) return null
  const steps = [
    { label: 'Invite your colleagues', to: '/organization/members', isDone: done.hasColleagues },
    {
      label: 'Connect a model',
      hint: 'Ask your platform admin, or add your own credentials.',
      to: '/workflows/catalogs',
      isDone: done.hasModel,
    },
    { label: 'Create your first workflow', to: '/workflows', isDone: done.hasWorkflow },
  ]
  if (steps.every(({ isDone }) => isDone)) return null
  return (
    <Panel title="Get started">
      <ul className="flex flex-col gap-3">
        {steps.map(({ label, hint, to, isDone }) => (
          <li key={to} className="flex items-start gap-2.5">
            {isDone ? (
              <CircleCheck aria-hidden className="mt-0.5 size-4.5 shrink-0 text-ok" />
            ) : (
              <Circle aria-hidden className="mt-0.5 size-4.5 shrink-0 text-faint" />
            )}
            <span className="min-w-0">
              {isDone ? (
                <span className="text-faint line-through">
                  {label}
                  <span className="sr-only">, done</span>
                </span>
              ) : (
                <HrefLink href={to} className={textLink}>
                  {label}
                </HrefLink>
              )}
              {hint !== undefined && !isDone && <span className="block text-faint text-sm">{hint}</span>}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
