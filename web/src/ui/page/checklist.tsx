/** The remaining steps of a setup. Gone once everything is done. */
import { Circle, CircleCheck } from 'lucide-react'
import { HrefLink, textLink } from '#ui/button/href-link.tsx'
import { Panel } from './layout.tsx'

export interface Step {
  label: string
  hint?: string
  /** The page of the step; undefined for a setting of the server. */
  to?: string
  isDone: boolean
}

export function Checklist({ steps }: { steps: readonly Step[] }) {
  if (steps.every(({ isDone }) => isDone)) return null
  return (
    <Panel title="Get started">
      <ul className="flex flex-col gap-3">
        {steps.map((step) => (
          <StepItem key={step.label} step={step} />
        ))}
      </ul>
    </Panel>
  )
}

const StepItem = ({ step: { label, hint, to, isDone } }: { step: Step }) => (
  <li className="flex items-start gap-2.5">
    {isDone ? (
      <CircleCheck aria-hidden className="mt-0.5 size-4.5 shrink-0 text-ok" />
    ) : (
      <Circle aria-hidden className="mt-0.5 size-4.5 shrink-0 text-faint" />
    )}
    <span className="min-w-0">
      {isDone && (
        <span className="text-faint line-through">
          {label}
          <span className="sr-only">, done</span>
        </span>
      )}
      {!isDone && to === undefined && <span className="font-medium">{label}</span>}
      {!isDone && to !== undefined && (
        <HrefLink href={to} className={textLink}>
          {label}
        </HrefLink>
      )}
      {hint !== undefined && !isDone && <span className="block text-faint text-sm">{hint}</span>}
    </span>
  </li>
)
